import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";
import type { Cents } from "#app/domain/money.ts";

export type BoughtSums = {
  /** Number of purchases that the person holds. */
  held: number;
  /** Number of people who hold content of theirs. */
  buyers: number;
  /** Refunds due to those buyers, and the part taken from the person's own money (centavos). */
  refundCents: Cents;
  netCents: Cents;
  /**
   * Unclaimed gifts of their plans, refunded in full, and the part taken from the person's own
   * money (centavos).
   */
  gifts: number;
  giftsCents: Cents;
  giftsNetCents: Cents;
};

/**
 * Sums what the deletion of an account means for one-time purchases and sales. Disputed charges
 * wait for the decision, and are left out.
 */
export async function boughtSums(
  ctx: Context,
  { personId, dueAt }: { personId: string; dueAt: Instant },
): Promise<BoughtSums> {
  const living = sql`p.bought_at IS NOT NULL AND p.ended_at IS NULL`;
  const given = (
    sum: SQL,
  ) => sql`(SELECT ${sum} FROM gifts g JOIN charges c ON c.id = g.charge_id AND c.status IN ('succeeded', 'partially_refunded', 'dispute_won')
    WHERE g.creator_id = ${personId} AND g.paid_at IS NOT NULL AND g.ended_at IS NULL AND g.claimed_at IS NULL)`;
  return await ctx.db.get<BoughtSums>(sql`
    SELECT (SELECT COUNT(*) FROM purchases p WHERE p.person_id = ${personId} AND ${living}) AS held,
      COUNT(DISTINCT p.person_id) AS buyers,
      COALESCE(SUM(c.amount_cents - c.refunded_cents - c.disputed_cents), 0) AS refundCents,
      COALESCE(SUM(c.amount_cents - c.refunded_cents - c.disputed_cents - c.fee_cents + c.refunded_fee_cents + c.disputed_fee_cents), 0) AS netCents,
      ${given(sql`COUNT(*)`)} AS gifts,
      ${given(sql`COALESCE(SUM(c.amount_cents - c.refunded_cents - c.disputed_cents), 0)`)} AS giftsCents,
      ${given(sql`COALESCE(SUM(c.amount_cents - c.refunded_cents - c.disputed_cents - c.fee_cents + c.refunded_fee_cents + c.disputed_fee_cents), 0)`)} AS giftsNetCents
    FROM purchases p JOIN charges c ON c.id = p.charge_id AND c.status IN ('succeeded', 'partially_refunded', 'dispute_won')
    WHERE p.creator_id = ${personId} AND ${living}
      AND NOT EXISTS (SELECT 1 FROM event_orders placed JOIN events past ON past.id = placed.event_id WHERE p.kind = 'event' AND placed.id = p.target_id AND past.status = 'published' AND past.ends_at <= ${dueAt})`);
}
