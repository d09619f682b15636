import { sql } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";
import { isOutboxWaiting } from "#app/domain/outbox.server.ts";
import { hasFailedTimes } from "#app/domain/retry-backoff/queries.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { outbox } from "#drizzle/schema/outbox.ts";

const WAITING_LIMIT_MS = 15 * MINUTE_MS;
/** A job that failed this often in a row is backed off. It waits for its recipient, not for us. */
const FAILED = 3;

const waiting = (realNow: number) =>
  sql`SELECT outbox.id FROM outbox WHERE ${isOutboxWaiting("outbox")} AND outbox.created_at < ${realNow - WAITING_LIMIT_MS}`;

/**
 * Invariants against stuck work, each separate. A broken invariant notifies once, so that one
 * undeliverable e-mail must not hide that payments stand still.
 */
export const stuckWorkInvariants: readonly Invariant[] = [
  {
    name: "nothing_waits",
    title: "Nenhum aviso de um provedor espera há mais de 15 minutos",
    sql: (ctx) =>
      sql`SELECT id FROM inbox WHERE handled_at IS NULL AND quarantined_at IS NULL AND received_at < ${ctx.realNow() - WAITING_LIMIT_MS} AND (answered_at IS NULL OR answered_at < ${ctx.realNow() - WAITING_LIMIT_MS})`,
  },
  {
    // Written as in its index, so that SQLite uses it. A quarantined event holds its own money
    // where that is in doubt: an unmatched dispute, or a payout that was paid twice. Nightly
    // reconciliation holds the rest.
    name: "deliveries_set_aside",
    title: "Nenhum aviso de um provedor está separado à espera de alguém",
    sql: () =>
      sql`SELECT id, provider, type, object_id, quarantine_reason FROM inbox INDEXED BY inbox_aside WHERE quarantined_at IS NOT NULL AND handled_at IS NULL AND quarantine_reason <> 'unknown_type' AND answer IS NOT 'closed'`,
  },
  {
    name: "letters_wait",
    title: "Nenhum aviso a alguém espera há mais de 15 minutos sem ter falhado",
    sql: (ctx) => sql`${waiting(ctx.realNow())} AND NOT ${hasFailedTimes(outbox.id, FAILED)}`,
  },
  {
    name: "letters_fail",
    title: "Nenhum aviso a alguém falha há mais de 15 minutos",
    sql: (ctx) => sql`${waiting(ctx.realNow())} AND ${hasFailedTimes(outbox.id, FAILED)}`,
  },
];
