import { addMonths } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";

const PAUSE_MONTHS = 1;

/**
 * A stretch of time that a charge paid for; `isDifference` and `amountCents` as in
 * `charge_periods`.
 */
export type PeriodSlice = {
  id: string;
  chargeId: string;
  startsAt: Instant;
  endsAt: Instant;
  isDifference: boolean;
  amountCents: Cents | null;
};
/** Everything that is covered after `from` happens `by` milliseconds later, or earlier below zero. */
export type PeriodShift = { from: Instant; by: number };

/**
 * Whether a renewal may rest for a month: while what was paid runs, and once in each paid period,
 * so that a month is not read in thirty days of its owner's choice.
 */
export function canPause(
  {
    status,
    currentPeriodStartsAt,
    currentPeriodEndsAt,
    pausedAt,
  }: Pick<Subscription, "status" | "currentPeriodStartsAt" | "currentPeriodEndsAt" | "pausedAt">,
  now: Instant,
): boolean {
  const isRunning =
    status === "active" && currentPeriodEndsAt !== null && currentPeriodEndsAt > now;
  return (
    isRunning &&
    (pausedAt === null || currentPeriodStartsAt === null || pausedAt < currentPeriodStartsAt)
  );
}

type PausableDates = { currentPeriodEndsAt: Instant; accessUntil: Instant };
type PauseShift = PausableDates & { anchorAt: Instant; shift: PeriodShift };

/**
 * A pause from `now`: what was left when it began is kept for the day on which it goes on, to the
 * millisecond, and later periods are counted from where that ends. Source: domain rules,
 * "Subscriptions", row `paused`: no charge, no access.
 */
export function pauseDates(
  dates: PausableDates,
  now: Instant,
): PauseShift & { pausedAt: Instant; resumesAt: Instant } {
  const resumesAt = addMonths(now, PAUSE_MONTHS);
  return { ...moved(dates, { from: now, by: resumesAt - now }), pausedAt: now, resumesAt };
}

/** The end of a pause at `now`, before its day or after it: the days that were kept begin now. */
export function resumeDates(
  { resumesAt, ...dates }: PausableDates & { resumesAt: Instant },
  now: Instant,
): PauseShift {
  return moved(dates, { from: resumesAt, by: now - resumesAt });
}

function moved(
  { currentPeriodEndsAt, accessUntil }: PausableDates,
  shift: PeriodShift,
): PauseShift {
  const endsAt = currentPeriodEndsAt + shift.by;
  return {
    currentPeriodEndsAt: endsAt,
    accessUntil: accessUntil + shift.by,
    anchorAt: endsAt,
    shift,
  };
}

/**
 * What a shift changes of what charges cover: stretches that are another now, and those that are
 * new. Their sum stays what was paid.
 */
export function shiftPeriods(
  periods: readonly PeriodSlice[],
  { from, by }: PeriodShift,
): { changed: Omit<PeriodSlice, "chargeId" | "isDifference">[]; added: Omit<PeriodSlice, "id">[] } {
  const touched = periods.filter(({ endsAt }) => endsAt > from);
  return {
    changed: touched.map(({ id, startsAt, endsAt, amountCents }) =>
      startsAt < from
        ? {
            id,
            startsAt,
            endsAt: from,
            amountCents:
              amountCents === null
                ? null
                : amountCents - laterCents({ startsAt, endsAt, amountCents }, from),
          }
        : { id, startsAt: startsAt + by, endsAt: endsAt + by, amountCents },
    ),
    added: touched
      .filter(({ startsAt }) => startsAt < from)
      .map(({ chargeId, startsAt, endsAt, isDifference, amountCents }) => ({
        chargeId,
        startsAt: from + by,
        endsAt: endsAt + by,
        isDifference,
        amountCents:
          amountCents === null ? null : laterCents({ startsAt, endsAt, amountCents }, from),
      })),
  };
}

/** What of a stretch that is paid for alone falls after `from`, by time, in whole centavos. */
const laterCents = (
  { startsAt, endsAt, amountCents }: { startsAt: Instant; endsAt: Instant; amountCents: Cents },
  from: Instant,
): Cents => Math.round((amountCents * (endsAt - from)) / (endsAt - startsAt));

/**
 * Until when somebody would see everything if they canceled at `now`: what a pause kept is given
 * back first.
 */
export function accessUntilIfCanceled(
  { status, accessUntil, resumesAt }: Pick<Subscription, "status" | "accessUntil" | "resumesAt">,
  now: Instant,
): Instant | null {
  return status === "paused" && accessUntil !== null && resumesAt !== null
    ? accessUntil + now - resumesAt
    : accessUntil;
}
