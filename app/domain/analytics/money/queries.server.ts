import { and, between, eq, sql } from "drizzle-orm";
import type { AnalyticsRange, DayRange } from "#app/domain/analytics/ranges/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { transactionTotals } from "#drizzle/schema/billing.ts";
import type { MoneyPart, MoneyRow } from "./rules.ts";

const sum = (column: Parameters<typeof eq>[0]) => sql<number>`SUM(${column})`;

/**
 * Reads what a creator sold by day, method and kind, in the range and the period before it. Days
 * are São Paulo's, as in the statement of transactions: the same totals, which triggers keep with
 * every charge.
 */
export async function creatorMoney(
  ctx: Context,
  asked: { creatorId: string; range: AnalyticsRange },
): Promise<MoneyRow[]> {
  return await moneyStatement(ctx, asked);
}

/** Builds the statement of `creatorMoney`, for a batch of several creators. */
export function moneyStatement(
  ctx: Context,
  { creatorId, range }: { creatorId: string; range: AnalyticsRange },
) {
  return ctx.db
    .select({
      day: transactionTotals.day,
      method: transactionTotals.method,
      kind: transactionTotals.kind,
      count: sum(transactionTotals.count).as("charges_count"),
      grossCents: sum(transactionTotals.amountCents).as("gross_cents"),
      refundedCents: sum(transactionTotals.refundedCents).as("sum_refunded_cents"),
      disputedCents: sum(transactionTotals.disputedCents).as("sum_disputed_cents"),
      feeCents: sum(transactionTotals.feeCents).as("sum_fee_cents"),
      netCents: sum(transactionTotals.netCents).as("sum_net_cents"),
    })
    .from(transactionTotals)
    .where(
      and(
        eq(transactionTotals.personId, creatorId),
        eq(transactionTotals.face, "received"),
        between(transactionTotals.day, range.before?.from ?? range.from, range.until),
      ),
    )
    .groupBy(transactionTotals.day, transactionTotals.method, transactionTotals.kind);
}

/** By plan and by link, the largest net first. An empty value is what has no plan, or no link. */
export type MoneyParts = { byPlan: MoneyPart[]; byLink: MoneyPart[] };

/**
 * Reads what a creator sold in a range by plan and by link: the same sums as `creatorMoney`, which
 * triggers keep with every charge. The name is null for a value of none.
 */
export async function moneyParts(
  ctx: Context,
  { creatorId, range }: { creatorId: string; range: DayRange },
): Promise<MoneyParts> {
  const sums = sql.raw(
    [
      "SUM(m.count) AS count",
      "SUM(m.amount_cents) AS grossCents",
      "SUM(m.refunded_cents) AS refundedCents",
      "SUM(m.disputed_cents) AS disputedCents",
      "SUM(m.fee_cents) AS feeCents",
      "SUM(m.net_cents) AS netCents",
    ].join(", "),
  );
  const within = sql`m.creator_id = ${creatorId} AND m.day BETWEEN ${range.from} AND ${range.until}`;
  const [byPlan, byLink] = await Promise.all([
    ctx.db.all<MoneyPart>(sql`
      SELECT m.plan_id AS value, p.name AS name, ${sums} FROM analytics_money m LEFT JOIN plans p ON p.id = m.plan_id
      WHERE ${within} GROUP BY m.plan_id HAVING SUM(m.count) > 0 ORDER BY netCents DESC, value`),
    ctx.db.all<MoneyPart>(sql`
      SELECT m.link_slug AS value, l.name AS name, ${sums} FROM analytics_money m
      LEFT JOIN creator_links l ON l.creator_id = m.creator_id AND l.slug = m.link_slug
      WHERE ${within} GROUP BY m.link_slug HAVING SUM(m.count) > 0 ORDER BY netCents DESC, value`),
  ]);
  return { byPlan, byLink };
}
