import { addDays, civilDate, HOUR_MS, instantOf, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { PayoutSchedule } from "#app/domain/payouts/schema.ts";

/** A day whose run was missed, by a night of outage or a killed worker, is made up for this long. */
const MADE_UP_FOR_DAYS = 2;
/** What is released in the course of the day goes with a later pass of it. */
const PASS_AGAIN_AFTER_MS = HOUR_MS;

/**
 * The schedules that ask for payouts on the São Paulo day of `at`: weekly on Mondays, monthly on
 * the first. Source: domain rules, "Payouts".
 */
export function schedulesDueOn(at: Instant): PayoutSchedule[] {
  const { year, month, day } = civilDate(at);
  const isMonday = new Date(Date.UTC(year, month - 1, day)).getUTCDay() === 1;
  return [...(isMonday ? (["weekly"] as const) : []), ...(day === 1 ? (["monthly"] as const) : [])];
}

/**
 * The first moment from `now` on at which a schedule asks for a payout: midnight of its next São
 * Paulo day, or `now` on the day itself unless one was asked for on it, by whomever, after which
 * that day asks for no other (`creatorsDueForPayout`); null of one that never asks. Source: domain
 * rules, "Payouts".
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
  /** "2026-11-23" */ day: string;
  startsAt: Instant;
  schedules: PayoutSchedule[];
};

/** The days whose schedules may have to run at `now`, oldest first: today, and the two days before. */
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
 * Whether the batch of `day` is to be gone through at `now`: one that was not finished; today's
 * again an hour after it was; and a day before today that has none only where an earlier day has
 * one, since nothing was missed by a product that ran no schedules yet.
 */
export function isBatchDue(
  { day }: Pick<ScheduledDay, "day">,
  known: readonly BatchRunState[],
  now: Instant,
): boolean {
  const today = isoDay(now);
  const batch = known.find((one) => one.day === day);
  if (!batch) return day === today || known.some((one) => one.day < day);
  if (batch.finishedAt === null) return true;
  return day === today && now - batch.finishedAt >= PASS_AGAIN_AFTER_MS;
}
