import { and, eq, gte, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { addMonths, civilDate, dayNumberOf, instantOf } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { recurringDays, recurringTotals } from "#drizzle/schema/analytics.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { CHURN_DAYS, churnRate, recurringPeriods } from "./rules.ts";
import type { RecurringMove, RecurringPeriod } from "./rules.ts";

export type RecurringRevenue = {
  /** What runs now: how many paid subscriptions, and what they are worth a month. */
  now: RecurringMove;
  /** Of it, what renews. */
  renewing: RecurringMove;
  byPlan: (RecurringMove & { planId: string; planName: string })[];
  byMethod: (RecurringMove & { method: PaymentMethod })[];
  /** The waterfall by São Paulo month, oldest first, the present month last. */
  months: (RecurringPeriod & { startsAt: Instant })[];
  /** Of the subscriptions that ran 30 days ago, the share that ended since; null when none ran. */
  churn: number | null;
};

/**
 * Reads the recurring revenue of a creator and its last `months` months, in one round trip. Reads
 * one row for each plan and method, and at most five for each day.
 */
export async function recurringRevenue(
  ctx: Context,
  { creatorId, months }: { creatorId: string; months: number },
): Promise<RecurringRevenue> {
  const thisMonth = instantOf({ ...civilDate(ctx.now()), day: 1 });
  const starts = Array.from({ length: months }, (_, index) =>
    addMonths(thisMonth, index - months + 1),
  );
  const today = dayNumberOf(ctx.now());
  const firstDays = starts.map(dayNumberOf);
  const since = Math.min(firstDays[0] ?? today, today - CHURN_DAYS);
  const [totals, days] = await ctx.db.batch([
    ctx.db
      .select({
        planId: recurringTotals.planId,
        planName: sql<string>`COALESCE(${plans.name}, '')`.as("plan_name"),
        method: recurringTotals.method,
        renews: recurringTotals.renews,
        count: recurringTotals.count,
        monthlyCents: recurringTotals.monthlyCents,
      })
      .from(recurringTotals)
      .leftJoin(plans, eq(plans.id, recurringTotals.planId))
      .where(eq(recurringTotals.creatorId, creatorId)),
    ctx.db
      .select({
        day: recurringDays.day,
        kind: recurringDays.kind,
        count: recurringDays.count,
        monthlyCents: recurringDays.monthlyCents,
      })
      .from(recurringDays)
      .where(and(eq(recurringDays.creatorId, creatorId), gte(recurringDays.day, since))),
  ]);
  const now = sumOf(totals);
  const [lately] = recurringPeriods([today - CHURN_DAYS], days, now);
  return {
    now,
    renewing: sumOf(totals.filter(({ renews }) => renews)),
    byPlan: grouped(
      totals,
      ({ planId }) => planId,
      ({ planId, planName }) => ({ planId, planName }),
    ),
    byMethod: grouped(
      totals,
      ({ method }) => method,
      ({ method }) => ({ method }),
    ),
    months: recurringPeriods(firstDays, days, now).map((period, index) => ({
      ...period,
      startsAt: starts[index] ?? thisMonth,
    })),
    churn: lately ? churnRate(lately) : null,
  };
}

const sumOf = (rows: readonly RecurringMove[]): RecurringMove => ({
  count: rows.reduce((sum, { count }) => sum + count, 0),
  monthlyCents: rows.reduce((sum, { monthlyCents }) => sum + monthlyCents, 0),
});

/** Sums of the rows with the same key, the largest first, without empty ones. */
function grouped<Row extends RecurringMove, Shown>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  shownOf: (row: Row) => Shown,
): (RecurringMove & Shown)[] {
  return [...Map.groupBy(rows, keyOf).values()]
    .flatMap((group) => (group[0] ? [{ ...shownOf(group[0]), ...sumOf(group) }] : []))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.monthlyCents - a.monthlyCents);
}
