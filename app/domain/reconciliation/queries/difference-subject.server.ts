import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { isPartyToMoneySql } from "#app/domain/identity/colleagues/queries.server.ts";
import type { ComparedObject } from "#app/domain/reconciliation/schema.ts";

/**
 * Our object behind a difference: a payout, or the charge of a refund, a dispute or a mandate.
 * `isSide` is 1 if the viewer is a party: seller or payee (`isPartyToMoney`), or payer.
 */
export type DifferenceSubject = {
  chargeId: string | null;
  payoutId: string | null;
  isSide: number;
};

/**
 * Statement for a batch: the object behind a difference, by the provider's id, our id and our
 * reference. No row if we do not know it.
 */
export function differenceSubjectStatement(
  ctx: Context,
  { differenceId, moderatorId }: { differenceId: string; moderatorId: string },
) {
  const it = sql`(SELECT * FROM reconciliation_differences WHERE id = ${differenceId}) d`;
  const isNamed = (row: SQL, object: ComparedObject, providerId: SQL) =>
    sql`${row}.id IN (d.our_id, d.reference) OR (d.object = ${object} AND ${row}.provider = d.provider AND ${providerId} = d.object_id)`;
  return ctx.db
    .select({
      chargeId: sql<string | null>`charge_id`,
      payoutId: sql<string | null>`payout_id`,
      isSide:
        sql<number>`(payer_id IS ${moderatorId} OR ${isPartyToMoneySql({ creatorId: sql`creator_id`, moderatorId })})`.as(
          "is_side",
        ),
    })
    .from(
      sql`(SELECT c.id AS charge_id, NULL AS payout_id, c.creator_id, c.payer_id FROM charges c WHERE c.id IN (
          SELECT own.id FROM ${it} JOIN charges own ON ${isNamed(sql`own`, "charge", sql`own.provider_charge_id`)}
          UNION SELECT back.charge_id FROM ${it} JOIN refunds back ON back.id IN (d.our_id, d.reference) OR (d.object = 'refund' AND back.provider_refund_id = d.object_id)
          UNION SELECT sent.charge_id FROM ${it} JOIN refund_transfers sent ON ${isNamed(sql`sent`, "transfer", sql`sent.provider_transfer_id`)}
          UNION SELECT disputed.charge_id FROM ${it} JOIN disputes disputed ON ${isNamed(sql`disputed`, "dispute", sql`disputed.provider_dispute_id`)}
          UNION SELECT agreed.first_charge_id FROM ${it} JOIN recurring_pix agreed ON ${isNamed(sql`agreed`, "authorisation", sql`agreed.provider_recurring_pix_id`)})
        UNION ALL
        SELECT NULL, paid.id, paid.creator_id, NULL FROM ${it} JOIN payouts paid ON ${isNamed(sql`paid`, "transfer", sql`paid.provider_transfer_id`)})`,
    )
    .limit(1);
}
