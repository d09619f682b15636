import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Invariant } from "./moved.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { providerNames } from "#app/domain/ledger/platform-money/queries/providers.server.ts";

/**
 * How long a money difference may last before it notifies moderators. The next reconciliation run
 * examines it once more before that.
 */
const PATIENCE_MS = DAY_MS + 2 * HOUR_MS;

const open = (ctx: Context) =>
  sql`d.state = 'open' AND d.is_money = 1 AND d.first_seen_at < ${ctx.now() - PATIENCE_MS}`;

/** Invariants between us and the providers, as reconciliation found them. */
export const reconciliationInvariants: readonly Invariant[] = [
  {
    name: "providers_agree",
    title: "Nenhuma diferença de dinheiro com um provedor espera há mais de um dia",
    sql: (ctx) =>
      sql`SELECT d.id, d.provider, d.object, d.object_id, d.kind FROM reconciliation_differences d WHERE ${open(ctx)}`,
  },
  {
    // Only where a row of ours, or our own reference, belongs to it. What somebody else does in the
    // account takes nothing from the people whose money we record.
    name: "providers_hold",
    title: "O que o livro conta como recebido está no provedor",
    sql: (ctx) =>
      sql`SELECT d.id, d.provider, d.object, d.object_id, d.gap_cents FROM reconciliation_differences d WHERE ${open(ctx)} AND d.gap_cents > 0 AND (d.our_id IS NOT NULL OR d.reference IS NOT NULL)`,
  },
  {
    // Only for configured providers: nobody else can be asked. A later complete run covers
    // everything since the last complete one before it.
    name: "nights_whole",
    title:
      "Toda comparação com um provedor termina em um dia, e recebe todas as respostas até a noite seguinte",
    sql: (ctx) => sql`
      SELECT n.id, n.provider, n.night, n.step, n.unclear_count FROM reconciliation_runs n
      WHERE n.started_at < ${ctx.now() - PATIENCE_MS} AND n.provider IN (SELECT value FROM json_each(${JSON.stringify(providerNames(ctx))}))
        AND (n.finished_at IS NULL OR n.unclear_count > 0 AND NOT EXISTS (
          SELECT 1 FROM reconciliation_runs w WHERE w.provider = n.provider AND w.night > n.night AND w.finished_at IS NOT NULL AND w.unclear_count = 0))`,
  },
];
