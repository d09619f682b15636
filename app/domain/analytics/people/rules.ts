import { isWithin } from "#app/domain/analytics/ranges/rules.ts";
import type { DayRange } from "#app/domain/analytics/ranges/rules.ts";
import { monthOf } from "#app/domain/ledger/months/rules/months.ts";
import { addMonths, civilDate, instantOf } from "#app/domain/time.ts";
import type { DayNumber, Instant } from "#app/domain/time.ts";
import type { Cohort } from "./schema.ts";

/** A person's time as a subscriber: from the first start to the last end; null while it goes on. */
export type Membership = { startedAt: Instant; endedAt: Instant | null };

const COHORTS_SHOWN = 12;

/**
 * Builds the cohorts of the last twelve months in which somebody first subscribed, oldest first. A
 * pause between two subscriptions of one person does not count as gone.
 */
export function cohortsOf(members: readonly Membership[], now: Instant): Cohort[] {
  const byMonth = Map.groupBy(members, ({ startedAt }) => monthOf(startedAt));
  return [...byMonth]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(-COHORTS_SHOWN)
    .map(([month, group]) => ({
      month,
      size: group.length,
      retained: monthEnds(group[0]?.startedAt ?? now, now).map(
        (end) => group.filter(({ endedAt }) => endedAt === null || endedAt > end).length,
      ),
    }));
}

/** The last instants of the months from that of `from` on, the present month up to now. */
function monthEnds(from: Instant, now: Instant): Instant[] {
  const ends: Instant[] = [];
  let end = addMonths(instantOf({ ...civilDate(from), day: 1 }), 1);
  while (ends.length < COHORTS_SHOWN) {
    ends.push(Math.min(end - 1, now));
    if (end > now) break;
    end = addMonths(end, 1);
  }
  return ends;
}

/** A step of the funnel, and its share of the visitors; null without any. */
export type FunnelStep = {
  name: "visits" | "follows" | "starts";
  count: number;
  share: number | null;
};

/** Builds the way from a visit to a follow to a subscription. A share is at most 1. */
export function funnelOf(counts: {
  visitors: number;
  follows: number;
  starts: number;
}): FunnelStep[] {
  const share = (of: number, among: number) => (among === 0 ? null : Math.min(1, of / among));
  return [
    { name: "visits", count: counts.visitors, share: null },
    { name: "follows", count: counts.follows, share: share(counts.follows, counts.visitors) },
    { name: "starts", count: counts.starts, share: share(counts.starts, counts.visitors) },
  ];
}

export type AudienceDay = {
  day: DayNumber;
  views: number;
  visitors: number;
  plays: number;
  follows: number;
  trials: number;
  /** Paid subscriptions that began, or began again. */
  starts: number;
  /** Paid subscriptions that ended or paused. */
  ends: number;
};

export type AudienceSums = Omit<AudienceDay, "day">;

/** Sums the days of a range. */
export function audienceWithin(days: readonly AudienceDay[], range: DayRange | null): AudienceSums {
  const sums = { views: 0, visitors: 0, plays: 0, follows: 0, trials: 0, starts: 0, ends: 0 };
  for (const row of days.filter(({ day }) => isWithin(range, day))) {
    for (const name of Object.keys(sums) as (keyof AudienceSums)[]) sums[name] += row[name];
  }
  return sums;
}
