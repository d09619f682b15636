import { counted } from "#app/domain/text.ts";
import { hasSavedMethod } from "#app/domain/payments/methods/rules.ts";
import { vacationEndsAt } from "#app/domain/plans/rules/vacations.ts";
import type { Vacation } from "#app/domain/plans/schema/vacations.ts";
import type { Subscription, SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { addDays, DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { GRACE_DAYS } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import type { PeriodShift } from "#app/domain/subscriptions/pauses/rules.ts";

/**
 * A vacation that is not over, and until when a subscription was moved by it; null when it was not
 * moved.
 */
export type UnfinishedVacation = Vacation & { shiftedUntil: Instant | null };

/**
 * At least this many days after the return are left for a payment by hand, or for a charge's
 * reminder.
 */
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
 * How a vacation moves a subscription. `shift` is for the periods that its charges cover. `movedMs`
 * is how much later its period ends; negative for earlier.
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
 * How a vacation moves a live subscription once, or, cut short, moves it back by the days not
 * taken. Null when there is nothing to move. Everything after the vacation's start moves by its
 * length, and access lasts through it. A charge due within `DAYS_AFTER_RETURN` of the return is due
 * at the end of those days. Paused subscriptions (moved by `resumedSubscription`) and comps stay as
 * they are. Source: domain rules, "Subscriptions": a vacation pauses billing and extends every
 * period by the same days; docs/decisions/money/keep-paid-periods-as-rows-that-move.md.
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
      // A charge that waited for its owner's confirmation is made again after the return.
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
 * Whether a vacation moves a subscription. One that ended before the vacation, or started after it,
 * is not moved. One due to be charged at that moment is moved while its grace period lasts. One
 * that should have expired before gets no days. Nothing starts during a vacation, except what was
 * already starting.
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
 * The earliest end of a period after a return. A trial without a card needs time to be paid, and an
 * early return needs time for its reminder. Nothing ends later than it did before.
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

/** `movedMs` in whole days, for notifications. */
export const shiftedDays = (movedMs: number): number => Math.round(movedMs / DAY_MS);

/** "14 dias". */
export const daysLabel = (days: number): string => counted(days, "dia", "dias");
