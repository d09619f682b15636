import type { Cents } from "#app/domain/money.ts";
import { monthlyPriceCents } from "#app/domain/plans/rules.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import type { DayNumber, Instant } from "#app/domain/time.ts";

/** The days over which the present churn is measured. */
export const CHURN_DAYS = 30;

/** What moves recurring revenue, in the order of a waterfall. */
export const recurringKinds = ["new", "reactivation", "expansion", "contraction", "churn"] as const;
export type RecurringKind = (typeof recurringKinds)[number];

const RUNNING: readonly SubscriptionStatus[] = [
  "active",
  "past_due",
  "requires_action",
  "canceled",
];

type RecurringSubscription = {
  status: SubscriptionStatus;
  amountCents: Cents;
  interval: Interval;
  startedAt: Instant | null;
  currentPeriodStartsAt: Instant | null;
  trialEndsAt: Instant | null;
  compEndsAt: Instant | null;
  giftedBy: string | null;
};

/**
 * What a subscription adds to the monthly recurring revenue, in centavos: its price over the months
 * of its interval, from its first payment until it ends or pauses. A late payment and a
 * cancellation change nothing before that; trials, gifts and comps add nothing. The triggers of
 * `recurring_totals` do the same in SQL. Source: the definitions of Polar's metrics.
 */
export function recurringCents(subscription: RecurringSubscription): Cents {
  const { status, startedAt, currentPeriodStartsAt, trialEndsAt } = subscription;
  const isOnTrial = trialEndsAt !== null && (currentPeriodStartsAt ?? 0) < trialEndsAt;
  const isFree = subscription.compEndsAt !== null || subscription.giftedBy !== null || isOnTrial;
  return startedAt === null || isFree || !RUNNING.includes(status)
    ? 0
    : monthlyPriceCents(subscription.amountCents, subscription.interval);
}

/** How many subscriptions moved, and by how much their monthly value. */
export type RecurringMove = { count: number; monthlyCents: Cents };

export type RecurringDay = RecurringMove & { day: DayNumber; kind: RecurringKind };

/** One period of the waterfall: what it began with, what moved it, and what it ended with. */
export type RecurringPeriod = {
  startCents: Cents;
  startCount: number;
  moves: Record<RecurringKind, RecurringMove>;
  endCents: Cents;
  endCount: number;
};

const CHANGES_COUNT: Record<RecurringKind, 1 | 0 | -1> = {
  new: 1,
  reactivation: 1,
  expansion: 0,
  contraction: 0,
  churn: -1,
};

/**
 * The waterfall of consecutive periods, oldest first. Each period is given by its first day, the
 * last one goes on to the present; `now` is what runs today. Days before the first period are
 * ignored. What a period ends with is what the next begins with.
 */
export function recurringPeriods(
  firstDays: readonly DayNumber[],
  days: readonly RecurringDay[],
  now: RecurringMove,
): RecurringPeriod[] {
  const periods: RecurringPeriod[] = [];
  let [endCents, endCount] = [now.monthlyCents, now.count];
  for (let index = firstDays.length - 1; index >= 0; index -= 1) {
    const from = firstDays[index] ?? 0;
    const until = firstDays[index + 1] ?? Number.POSITIVE_INFINITY;
    const moves = movesOf(days.filter(({ day }) => day >= from && day < until));
    const movedCents = recurringKinds.reduce((sum, kind) => sum + moves[kind].monthlyCents, 0);
    const movedCount = recurringKinds.reduce(
      (sum, kind) => sum + moves[kind].count * CHANGES_COUNT[kind],
      0,
    );
    const [startCents, startCount] = [endCents - movedCents, endCount - movedCount];
    periods.unshift({ startCents, startCount, moves, endCents, endCount });
    [endCents, endCount] = [startCents, startCount];
  }
  return periods;
}

function movesOf(days: readonly RecurringDay[]): Record<RecurringKind, RecurringMove> {
  const none = (): RecurringMove => ({ count: 0, monthlyCents: 0 });
  const moves: Record<RecurringKind, RecurringMove> = {
    new: none(),
    reactivation: none(),
    expansion: none(),
    contraction: none(),
    churn: none(),
  };
  for (const { kind, count, monthlyCents } of days) {
    moves[kind].count += count;
    moves[kind].monthlyCents += monthlyCents;
  }
  return moves;
}

/**
 * The share of the subscriptions running at the start of a period that ended in it, from 0 to 1.
 * Null when none ran. Who joined and left within the period counts as gone too, up to all.
 */
export const churnRate = ({ startCount, moves }: RecurringPeriod): number | null =>
  startCount === 0 ? null : Math.min(1, moves.churn.count / startCount);

/** The monthly value of an average subscription, in centavos; null without any. */
export const averageCents = ({ count, monthlyCents }: RecurringMove): Cents | null =>
  count === 0 ? null : Math.round(monthlyCents / count);

/**
 * What an average subscription brings until it ends, in centavos: its monthly value over the
 * monthly churn. Null while nobody leaves, and without subscriptions.
 */
export const lifetimeCents = (now: RecurringMove, monthlyChurn: number | null): Cents | null => {
  const average = averageCents(now);
  return average === null || !monthlyChurn ? null : Math.round(average / monthlyChurn);
};
