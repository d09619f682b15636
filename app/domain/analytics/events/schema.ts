import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";

/** The numbers of one event, all of it and not of a range alone. */
export type EventNumbers = {
  id: string;
  title: string;
  startsAt: Instant;
  timeZone: string;
  isCanceled: boolean;
  /** Null without a limit. */
  capacity: number | null;
  seatsTaken: number;
  /** Taken seats whose person came in; null before the event begins, unless somebody did. */
  checkedInCount: number | null;
  /** Paid orders of tickets. */
  sales: number;
  /** Before and after fee, refunds and disputes. */
  grossCents: Cents;
  netCents: Cents;
};
