import { desc, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import {
  COOLING_OFF_REFUND_REASON,
  COOLING_OFF_REVIEW_COUNT,
  coolingOffReviewSince,
} from "#app/domain/payments/refunds/rules/cooling-off.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges, refunds } from "#drizzle/schema/payments.ts";

/**
 * Whether a row of `refunds` is a cooling-off refund that counts at `now` and was not refused. Must
 * match the text of the index `refunds_regretted`.
 */
const isInCoolingOff = (now: Instant) =>
  sql`refunds.reason = ${sql.raw(`'${COOLING_OFF_REFUND_REASON}'`)} AND refunds.created_at >= ${coolingOffReviewSince(now)} AND refunds.status <> 'failed'`;

export type FrequentWithdrawer = {
  personId: string;
  /** Null for a deleted account. */
  name: string | null;
  /** How many cooling-off refunds: the payments of one subscription count as one. */
  times: number;
  amountCents: Cents;
  lastAt: Instant;
};

/**
 * Returns people with so many cooling-off refunds that the staff reviews them, the latest first,
 * page by page. One round trip.
 */
export async function frequentWithdrawers(
  ctx: Context,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<Page<FrequentWithdrawer>> {
  const after = decodeCursor(cursor);
  const rows = await ctx.db.all<{
    payer_id: string;
    name: string | null;
    times: number;
    cents: Cents;
    last_at: Instant;
  }>(sql`
    WITH often AS (SELECT charges.payer_id, COUNT(DISTINCT charges.purchase_kind || ':' || charges.purchase_id) AS times, SUM(refunds.amount_cents) AS cents, MAX(refunds.created_at) AS last_at
      FROM refunds JOIN charges ON charges.id = refunds.charge_id WHERE ${isInCoolingOff(ctx.now())}
      GROUP BY charges.payer_id HAVING times >= CAST(${COOLING_OFF_REVIEW_COUNT} AS INTEGER))
    SELECT often.payer_id, profiles.name, often.times, often.cents, often.last_at FROM often LEFT JOIN profiles ON profiles.person_id = often.payer_id
    ${after ? sql`WHERE (often.last_at, often.payer_id) < (${after.at}, ${after.id})` : sql``}
    ORDER BY often.last_at DESC, often.payer_id DESC LIMIT ${limit + 1}`);
  const found = rows.map(({ payer_id: personId, name, times, cents, last_at: lastAt }) => ({
    personId,
    name,
    times,
    amountCents: cents,
    lastAt,
  }));
  return pageOf(found, limit, ({ lastAt, personId }) => ({ at: lastAt, id: personId }));
}

export type CoolingOffRefundRow = {
  id: string;
  chargeId: string;
  description: string;
  askedAt: Instant;
  cents: Cents;
};

/**
 * Returns one person's cooling-off refunds in the months that count, newest first, and their total
 * (centavos). Returns null when there are none. One round trip.
 */
export async function coolingOffRefundsOf(
  ctx: Context,
  { personId, cursor, limit }: { personId: string; cursor: string | null; limit: number },
): Promise<(Page<CoolingOffRefundRow> & { name: string | null; sumCents: Cents }) | null> {
  const after = decodeCursor(cursor);
  const theirs = sql`${isInCoolingOff(ctx.now())} AND charges.payer_id = ${personId}`;
  const [rows, [all]] = await ctx.db.batch([
    ctx.db
      .select({
        id: refunds.id,
        chargeId: refunds.chargeId,
        description: charges.description,
        askedAt: refunds.createdAt,
        cents: refunds.amountCents,
      })
      .from(refunds)
      .innerJoin(charges, eq(charges.id, refunds.chargeId))
      .where(
        after
          ? sql`${theirs} AND (${refunds.createdAt}, ${refunds.id}) < (${after.at}, ${after.id})`
          : theirs,
      )
      .orderBy(desc(refunds.createdAt), desc(refunds.id))
      .limit(limit + 1),
    ctx.db
      .select({
        cents: sql<Cents | null>`SUM(${refunds.amountCents})`.as("all_cents"),
        name: sql<
          string | null
        >`(SELECT profiles.name FROM profiles WHERE profiles.person_id = ${personId})`.as(
          "their_name",
        ),
      })
      .from(refunds)
      .innerJoin(charges, eq(charges.id, refunds.chargeId))
      .where(theirs),
  ]);
  if (!all?.cents) return null;
  return {
    ...pageOf(rows, limit, ({ askedAt, id }) => ({ at: askedAt, id })),
    name: all.name,
    sumCents: all.cents,
  };
}
