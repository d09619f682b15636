import { eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import type { ComparedObject } from "#app/domain/reconciliation/schema.ts";
import { reconciliationRuns } from "#drizzle/schema/reconciliation.ts";
import type { ReconciliationRunView } from "./differences.server.ts";

/**
 * An object that a provider listed, and our object for it. `isOurs`: we know it by the provider's
 * id.
 */
export type RunItem = {
  object: ComparedObject;
  objectId: string;
  isOurs: boolean;
  chargeId: string | null;
  payoutId: string | null;
  description: string | null;
  cents: Cents | null;
};

type RunSummary = Pick<
  ReconciliationRunView,
  "id" | "provider" | "night" | "listedCount" | "finishedAt"
>;

/** The format that `encodePlace` writes. */
const CURSOR = /^([a-z]{1,20})_(.{1,200})$/;
const encodePlace = ({ object, objectId }: RunItem): string => `${object}_${objectId}`;

/**
 * Loads a run with one page of the objects that its provider listed and it compared, not ordered by
 * time. Null where there is no such run. Runs that are no longer shown list nothing. One round
 * trip.
 */
export async function runItems(
  ctx: Context,
  { runId, cursor, limit }: { runId: string; cursor: string | null; limit: number },
): Promise<{ run: RunSummary; items: RunItem[]; next: string | null } | null> {
  const [, object = "", objectId = ""] = CURSOR.exec(cursor ?? "") ?? [];
  const provider = sql`(SELECT provider FROM reconciliation_runs WHERE id = ${runId})`;
  const [runs, rows] = await ctx.db.batch([
    ctx.db
      .select({
        id: reconciliationRuns.id,
        provider: reconciliationRuns.provider,
        night: reconciliationRuns.night,
        listedCount: reconciliationRuns.listedCount,
        finishedAt: reconciliationRuns.finishedAt,
      })
      .from(reconciliationRuns)
      .where(eq(reconciliationRuns.id, runId))
      .limit(1),
    ctx.db
      .select({
        object: sql<ComparedObject>`object`,
        objectId: sql<string>`object_id`,
        isOurs: sql<number>`our_id IS NOT NULL`.as("is_ours"),
        chargeId: sql<string | null>`charge_id`,
        payoutId: sql<string | null>`payout_id`,
        description: sql<
          string | null
        >`(SELECT description FROM charges WHERE charges.id = charge_id)`.as("description"),
        cents: sql<Cents | null>`cents`,
      })
      .from(
        sql`(WITH listed AS MATERIALIZED (
            SELECT object, object_id FROM reconciliation_sightings WHERE run_id = ${runId} AND (object, object_id) > (${object}, ${objectId}) ORDER BY object, object_id LIMIT ${limit + 1})
          SELECT l.object, l.object_id, c.id AS our_id, c.id AS charge_id, NULL AS payout_id, c.amount_cents AS cents
            FROM listed l LEFT JOIN charges c ON c.provider = ${provider} AND c.provider_charge_id = l.object_id WHERE l.object = 'charge'
          UNION ALL SELECT l.object, l.object_id, r.id, r.charge_id, NULL, r.amount_cents FROM listed l LEFT JOIN refunds r ON r.provider_refund_id = l.object_id WHERE l.object = 'refund'
          UNION ALL SELECT l.object, l.object_id, COALESCE(p.id, b.id), b.charge_id, p.id, COALESCE(p.amount_cents, b.amount_cents) FROM listed l
            LEFT JOIN payouts p ON p.provider = ${provider} AND p.provider_transfer_id = l.object_id LEFT JOIN refund_transfers b ON b.provider = ${provider} AND b.provider_transfer_id = l.object_id WHERE l.object = 'transfer'
          UNION ALL SELECT l.object, l.object_id, COALESCE(d.id, a.id), COALESCE(d.charge_id, a.charge_id), NULL, COALESCE(d.amount_cents, 0) + COALESCE(a.amount_cents, 0) FROM listed l
            LEFT JOIN disputes d ON d.provider = ${provider} AND d.provider_dispute_id = l.object_id LEFT JOIN refund_transfers a ON a.disputed_by = l.object_id WHERE l.object = 'dispute'
          UNION ALL SELECT l.object, l.object_id, agreed.id, NULL, NULL, NULL FROM listed l LEFT JOIN recurring_pix agreed ON agreed.provider = ${provider} AND agreed.provider_recurring_pix_id = l.object_id WHERE l.object = 'authorisation')`,
      )
      .orderBy(sql`object, object_id`),
  ]);
  if (!runs[0]) return null;
  const items = rows.slice(0, limit).map((row) => ({ ...row, isOurs: Boolean(row.isOurs) }));
  const last = items.at(-1);
  return { run: runs[0], items, next: rows.length > limit && last ? encodePlace(last) : null };
}
