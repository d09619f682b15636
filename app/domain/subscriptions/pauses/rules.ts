import { addMonths } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";

const PAUSE_MONTHS = 1;

/** A period slice that a charge paid for; `isDifference` and `amountCents` as in `charge_periods`. */
export type PeriodSlice = {
  id: string;
  chargeId: string;
  startsAt: Instant;
  endsAt: Instant;
  isDifference: boolean;
  amountCents: Cents | null;
};
/** A shift of everything covered after `from` by `by` milliseconds; negative for earlier. */
export type PeriodShift = { from: Instant; by: number };

/**
 * Whether a subscription may pause for a month. It must be within its paid period and may pause
 * once per period. Otherwise a fan could spread thirty paid days over days of their choice.
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
 * The dates of a pause from `now`. The remaining time is saved to the millisecond for the day it
 * resumes, and later periods count from its end. Source: domain rules, "Subscriptions", row
 * `paused`: no charge, no access.
 */
export function pauseDates(
  dates: PausableDates,
  now: Instant,
): PauseShift & { pausedAt: Instant; resumesAt: Instant } {
  const resumesAt = addMonths(now, PAUSE_MONTHS);
  return { ...moved(dates, { from: now, by: resumesAt - now }), pausedAt: now, resumesAt };
}

/** The dates of the end of a pause at `now`, early or late: the saved days start now. */
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
 * Applies a shift to the paid period slices: the changed ones and the new ones. Their sum stays
 * equal to what was paid.
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

/** The part of a priced slice after `from`, by time, in whole centavos. */
const laterCents = (
  { startsAt, endsAt, amountCents }: { startsAt: Instant; endsAt: Instant; amountCents: Cents },
  from: Instant,
): Cents => Math.round((amountCents * (endsAt - from)) / (endsAt - startsAt));

/**
 * Until when access would last after a cancellation at `now`: the days that a pause saved are
 * restored first.
 */
export function accessUntilIfCanceled(
  { status, accessUntil, resumesAt }: Pick<Subscription, "status" | "accessUntil" | "resumesAt">,
  now: Instant,
): Instant | null {
  return status === "paused" && accessUntil !== null && resumesAt !== null
    ? accessUntil + now - resumesAt
    : accessUntil;
}
