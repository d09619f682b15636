import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";

/** How long a difference of money may last before it wakes whoever moderates: the next night asks about it once more before. */
const PATIENCE_MS = DAY_MS + 2 * HOUR_MS;

const open = (ctx: Context) => sql`d.state = 'open' AND d.is_money = 1 AND d.first_seen_at < ${ctx.now() - PATIENCE_MS}`;

/** What holds between us and the providers, as reconciliation found it: rows that break it, as in `invariants`. */
export const reconciliationInvariants: readonly { name: string; title: string; sql: (ctx: Context) => SQL }[] = [
  {
    name: "providers_agree",
    title: "Nenhuma diferença de dinheiro com um provedor espera há mais de um dia",
    sql: (ctx) => sql`SELECT d.id, d.provider, d.object, d.object_id, d.kind FROM reconciliation_differences d WHERE ${open(ctx)}`,
  },
  {
    // Only where a row of ours, or our own reference, says it: what somebody else does in the account takes nothing from the people whose money we keep count of.
    name: "providers_hold",
    title: "O que o livro conta como recebido está no provedor",
    sql: (ctx) => sql`SELECT d.id, d.provider, d.object, d.object_id, d.gap_cents FROM reconciliation_differences d WHERE ${open(ctx)} AND d.gap_cents > 0 AND (d.our_id IS NOT NULL OR d.reference IS NOT NULL)`,
  },
];
