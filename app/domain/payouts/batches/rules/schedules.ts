import { addDays, civilDate, HOUR_MS, instantOf, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { PayoutSchedule } from "#app/domain/payouts/schema.ts";

/** How many days late a missed run is made up, after an outage or a killed worker. */
const MADE_UP_FOR_DAYS = 2;
/** A later pass of the day includes what was released since the last one. */
const PASS_AGAIN_AFTER_MS = HOUR_MS;

/**
 * Returns the schedules that request payouts on the São Paulo day of `at`: weekly on Mondays,
 * monthly on the first. Source: domain rules, "Payouts".
 */
export function schedulesDueOn(at: Instant): PayoutSchedule[] {
  const { year, month, day } = civilDate(at);
  const isMonday = new Date(Date.UTC(year, month - 1, day)).getUTCDay() === 1;
  return [...(isMonday ? (["weekly"] as const) : []), ...(day === 1 ? (["monthly"] as const) : [])];
}

/**
 * Returns the next instant, from `now` on, at which a schedule requests a payout; null for
 * `manual`.
 *
 * It is midnight of the schedule's next São Paulo day, or `now` on that day itself. A day on which
 * anybody already requested a payout does not count (`creatorsDueForPayout`). Source: domain rules,
 * "Payouts".
 */
export function nextScheduledAt(
  schedule: PayoutSchedule,
  { now, lastRequestedAt }: { now: Instant; lastRequestedAt: Instant | null },
): Instant | null {
  if (schedule === "manual") return null;
  const today = instantOf(civilDate(now));
  let day = lastRequestedAt !== null && lastRequestedAt >= today ? addDays(today, 1) : today;
  while (!schedulesDueOn(day).includes(schedule)) day = addDays(day, 1);
  return Math.max(day, now);
}

export type ScheduledDay = {
  /** ISO date: "2026-11-23". */ day: string;
  startsAt: Instant;
  schedules: PayoutSchedule[];
};

/**
 * Returns the days whose schedules may be due at `now`, oldest first: today and the two days
 * before.
 */
export function scheduledDays(now: Instant): ScheduledDay[] {
  const ages = Array.from({ length: MADE_UP_FOR_DAYS + 1 }, (_, index) => MADE_UP_FOR_DAYS - index);
  return ages
    .map((age) => dayOf(addDays(now, -age)))
    .filter(({ schedules }) => schedules.length > 0);
}

function dayOf(at: Instant): ScheduledDay {
  return { day: isoDay(at), startsAt: instantOf(civilDate(at)), schedules: schedulesDueOn(at) };
}

export type BatchRunState = { day: string; finishedAt: Instant | null };

/**
 * Whether the batch of `day` is due at `now`.
 *
 * An unfinished batch is due. Today's batch is due again an hour after it finished. An earlier day
 * without a batch is due only if a day before it has one: otherwise no schedules ran yet.
 */
export function isBatchDue(
  { day }: Pick<ScheduledDay, "day">,
  batches: readonly BatchRunState[],
  now: Instant,
): boolean {
  const today = isoDay(now);
  const batch = batches.find((one) => one.day === day);
  if (!batch) return day === today || batches.some((one) => one.day < day);
  if (batch.finishedAt === null) return true;
  return day === today && now - batch.finishedAt >= PASS_AGAIN_AFTER_MS;
}
