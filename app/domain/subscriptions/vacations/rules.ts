import { hasSavedMethod } from "#app/domain/payments/methods/rules.ts";
import { vacationEndsAt } from "#app/domain/plans/rules/vacations.ts";
import type { Vacation } from "#app/domain/plans/schema/vacations.ts";
import type { Subscription, SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { addDays, DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { GRACE_DAYS } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import type { PeriodShift } from "#app/domain/subscriptions/pauses/rules.ts";

/**
 * A vacation that is not over, and up to when of it a subscription was moved; null while it was
 * not.
 */
export type UnfinishedVacation = Vacation & { shiftedUntil: Instant | null };

/** Whoever pays by hand, or is reminded of a charge, has at least this long after the return. */
export const DAYS_AFTER_RETURN = 3;

const MOVED: readonly SubscriptionStatus[] = [
  "trialing",
  "active",
  "requires_action",
  "past_due",
  "canceled",
];

type VacationDates = Pick<
  Subscription,
  | "status"
  | "method"
  | "savedMethodId"
  | "compEndsAt"
  | "startedAt"
  | "currentPeriodStartsAt"
  | "currentPeriodEndsAt"
  | "accessUntil"
>;

/**
 * What a vacation does to a subscription. `shift` is for what its charges cover; `movedMs` is how
 * much later (or earlier, below zero) its period ends.
 */
export type VacationMove = {
  set: {
    status: SubscriptionStatus;
    currentPeriodStartsAt: Instant | null;
    currentPeriodEndsAt: Instant;
    accessUntil: Instant;
    anchorAt: Instant;
  };
  shift: PeriodShift;
  until: Instant;
  movedMs: number;
};

/**
 * How a vacation moves a subscription that is live and was not moved yet, or, cut short, moves it
 * back by the days that were not taken: null where there is nothing to move. Everything after the
 * beginning happens as much later as the vacation lasts; access lasts through it, and who would owe
 * a charge within `DAYS_AFTER_RETURN` of the return has until then. What rests
 * (`resumedSubscription` moves it) and what is given free of charge stay as they are. Source:
 * domain rules, "Subscriptions": a vacation pauses billing and extends every period by the same
 * days; docs/decisions/money/keep-paid-periods-as-rows-that-move.md.
 */
export function shiftByVacation(
  subscription: VacationDates,
  vacation: UnfinishedVacation,
  now: Instant,
): VacationMove | null {
  const {
    status,
    compEndsAt,
    currentPeriodStartsAt: startsAt,
    currentPeriodEndsAt: endsAt,
    accessUntil,
  } = subscription;
  if (compEndsAt !== null || endsAt === null || accessUntil === null || !MOVED.includes(status))
    return null;
  const until = vacationEndsAt(vacation);
  const from = vacation.shiftedUntil ?? vacation.startsAt;
  const by = until - from;
  if (
    by === 0 ||
    (vacation.shiftedUntil === null && !isCovered(subscription, accessUntil, vacation))
  )
    return null;
  const goesOn = status !== "canceled";
  const period = Math.max(
    endsAt + by,
    goesOn ? leastEnd(subscription, { endsAt, by, until: Math.max(until, by < 0 ? now : 0) }) : 0,
  );
  const access = Math.max(
    accessUntil + by,
    period === endsAt + by ? 0 : period,
    goesOn ? until : 0,
  );
  return {
    set: {
      // What waited for its owner's confirmation is asked for anew, after the return.
      status: status === "requires_action" ? "past_due" : status,
      currentPeriodStartsAt: startsAt !== null && startsAt >= from ? startsAt + by : startsAt,
      currentPeriodEndsAt: period,
      accessUntil: access,
      anchorAt: period,
    },
    shift: { from, by },
    until,
    movedMs: period - endsAt,
  };
}

/**
 * What ended before it began is no vacation's, nor what began after it; what renews, and was to be
 * charged that moment, is, while its grace lasts: what should have expired before, had the calendar
 * looked, is given no days. Nothing begins in one, but what began while it was being begun.
 */
function isCovered(
  { status, startedAt, currentPeriodEndsAt: endsAt, ...paid }: VacationDates,
  accessUntil: Instant,
  vacation: Vacation,
): boolean {
  const { startsAt } = vacation;
  if (startedAt !== null && startedAt >= vacationEndsAt(vacation)) return false;
  const wasToBeCharged =
    endsAt !== null &&
    addDays(endsAt, GRACE_DAYS) > startsAt &&
    (status === "active" || (status === "trialing" && hasSavedMethod(paid)));
  return accessUntil > startsAt || wasToBeCharged;
}

/**
 * The soonest that a period may end after a return: free days without a card need their hours to be
 * paid, and a return before its day its reminder. Nothing is later than it was.
 */
function leastEnd(
  { status, ...paid }: VacationDates,
  { endsAt, by, until }: { endsAt: Instant; by: number; until: Instant },
): Instant {
  const hasToPay = status === "trialing" && !hasSavedMethod(paid);
  const isRunning = status === "active" || status === "trialing";
  const least = addDays(until, DAYS_AFTER_RETURN);
  if (by > 0) return hasToPay ? least : 0;
  return isRunning ? Math.min(endsAt, least) : 0;
}

/** Whole days of `movedMs`, as they are told. */
export const shiftedDays = (movedMs: number): number => Math.round(movedMs / DAY_MS);

/** "14 dias". */
export const daysLabel = (days: number): string => (days === 1 ? "1 dia" : `${days} dias`);
