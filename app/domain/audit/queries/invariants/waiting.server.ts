import { sql } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";
import { isOutboxWaiting } from "#app/domain/outbox.server.ts";
import { hasFailedTimes } from "#app/domain/retry-backoff/queries.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { outbox } from "#drizzle/schema/outbox.ts";

const WAITING_LIMIT_MS = 15 * MINUTE_MS;
/**
 * What failed as often in a row has its turns put off: it waits for whoever does not take it, and
 * not for us.
 */
const FAILED = 3;

const waiting = (realNow: number) =>
  sql`SELECT outbox.id FROM outbox WHERE ${isOutboxWaiting("outbox")} AND outbox.created_at < ${realNow - WAITING_LIMIT_MS}`;

/**
 * That nothing stands still, each by itself: what is broken is told once, so that one letter that
 * nobody takes must not keep a standstill of payments from being told.
 */
export const stuckWorkInvariants: readonly Invariant[] = [
  {
    name: "nothing_waits",
    title: "Nenhum aviso de um provedor espera há mais de 15 minutos",
    sql: (ctx) =>
      sql`SELECT id FROM inbox WHERE handled_at IS NULL AND quarantined_at IS NULL AND received_at < ${ctx.realNow() - WAITING_LIMIT_MS} AND (answered_at IS NULL OR answered_at < ${ctx.realNow() - WAITING_LIMIT_MS})`,
  },
  {
    // By its index, in its words. What it tells of holds its own money where it is in doubt (a
    // dispute that does not fit, a payout that was paid twice); what is compared at night holds the
    // rest.
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
