import { and, between, eq, sql } from "drizzle-orm";
import type { AnalyticsRange } from "#app/domain/analytics/ranges/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { transactionTotals } from "#drizzle/schema/billing.ts";
import type { MoneyRow } from "./rules.ts";

const sum = (column: Parameters<typeof eq>[0]) => sql<number>`SUM(${column})`;

/**
 * Reads what a creator sold by day, method and kind, in the range and the period before it. Days
 * are São Paulo's, as in the statement of transactions: the same totals, which triggers keep with
 * every charge.
 */
export async function creatorMoney(
  ctx: Context,
  { creatorId, range }: { creatorId: string; range: AnalyticsRange },
): Promise<MoneyRow[]> {
  return await ctx.db
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
