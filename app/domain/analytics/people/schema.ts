import type { ViewDimension } from "#app/domain/analytics/views/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import type { CancellationReason } from "#app/domain/subscriptions/schema.ts";

/** Who first subscribed in one month, and how many of them are there at the end of later months. */
export type Cohort = {
  /** `YYYY-MM` in São Paulo. */
  month: string;
  size: number;
  /** How many were subscribers at the end of that month, of the next, and so on to today. */
  retained: number[];
};

/** What the page shows of all subscriptions and payments of a creator. */
export type PeopleSnapshot = {
  cohorts: Cohort[];
  /** Who paid most in all, largest first; what was refunded or lost in a dispute is deducted. */
  supporters: { personId: string; paidCents: Cents; chargesCount: number }[];
  /** Reasons of the cancellations of the last 12 months, most frequent first. */
  reasons: { reason: CancellationReason | null; count: number }[];
};

export const EMPTY_SNAPSHOT: PeopleSnapshot = { cohorts: [], supporters: [], reasons: [] };

export type Supporter = {
  name: string;
  username: string;
  paidCents: number;
  chargesCount: number;
};

export type SourceSum = {
  dimension: ViewDimension;
  value: string;
  views: number;
  visitors: number;
};
