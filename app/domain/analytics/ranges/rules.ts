import { addMonths, daysBetween, instantOf, parseDay, startOfDay } from "#app/domain/time.ts";
import type { DayNumber } from "#app/domain/time.ts";

/** The ranges that a page offers, in their order. */
const rangeNames = ["7", "28", "90", "year", "all", "own"] as const;
export type RangeName = (typeof rangeNames)[number];

/** Days, both included. */
export type DayRange = { from: DayNumber; until: DayNumber };

/** What a page shows, and the same number of days before it; null for everything. */
export type AnalyticsRange = DayRange & { name: RangeName; before: DayRange | null };

export type ParsedRange = {
  range: AnalyticsRange;
  /** Messages beside the fields that could not be parsed; the range is then the usual one. */
  errors: { from?: string; until?: string };
  /** The fields as they were typed. */
  typed: { from: string; until: string };
};

const DAYS: Partial<Record<RangeName, number>> = { "7": 7, "28": 28, "90": 90, year: 365 };
const USUAL: RangeName = "28";
/** The longest range of one's own, in days: what a page can read at once. */
const MOST_DAYS = 3_660;

const daysIn = ({ from, until }: DayRange): number => until - from + 1;

/**
 * Reads the range of a page's address. `today` is the last day of every usual range, `firstDay`
 * that from which there are numbers. An unknown name is the usual one. A day that is none, an end
 * before its start, a start in the future and more than ten years get a message.
 */
export function parseRange(
  search: URLSearchParams,
  { today, firstDay }: { today: DayNumber; firstDay: DayNumber },
): ParsedRange {
  const asked = search.get("range");
  const typed = { from: search.get("from") ?? "", until: search.get("until") ?? "" };
  const isOwn = asked === "own" || (asked === null && (typed.from !== "" || typed.until !== ""));
  const name = rangeNames.find((one) => one === asked) ?? USUAL;
  if (!isOwn) return { range: usualRange(name, { today, firstDay }), errors: {}, typed };
  const [from, until] = [parseDay(typed.from), parseDay(typed.until)];
  const errors = ownProblems({ from, until }, { today });
  const usual = usualRange(USUAL, { today, firstDay });
  if (from === null || until === null || errors.from || errors.until)
    return { range: usual, errors, typed };
  return { range: withBefore("own", { from, until: Math.min(until, today) }), errors, typed };
}

function ownProblems(
  { from, until }: { from: DayNumber | null; until: DayNumber | null },
  { today }: { today: DayNumber },
): ParsedRange["errors"] {
  const asTyped = "Escreva o dia assim: 20/12/2026.";
  if (from === null) return { from: asTyped, ...(until === null ? { until: asTyped } : {}) };
  if (until === null) return { until: asTyped };
  if (from > today) return { from: "Este dia ainda não chegou." };
  if (until < from) return { until: "O fim vem antes do começo. Troque um dos dias." };
  return until - from >= MOST_DAYS ? { from: "Escolha no máximo dez anos." } : {};
}

function usualRange(
  name: RangeName,
  { today, firstDay }: { today: DayNumber; firstDay: DayNumber },
): AnalyticsRange {
  if (name === "all") return { name, from: Math.min(firstDay, today), until: today, before: null };
  const days = DAYS[name] ?? 28;
  return withBefore(name === "own" ? USUAL : name, { from: today - days + 1, until: today });
}

const withBefore = (name: RangeName, { from, until }: DayRange): AnalyticsRange => ({
  name,
  from,
  until,
  before: { from: from - daysIn({ from, until }), until: from - 1 },
});

type BucketSize = "day" | "week" | "month";
export type Bucket = DayRange;

/** Returns how fine a chart of a range is: days up to three months, then weeks, then months. */
function bucketSize(range: DayRange): BucketSize {
  const days = daysIn(range);
  if (days <= 92) return "day";
  return days <= 366 ? "week" : "month";
}

/** Divides a range into the bars of its chart, in order and without a gap. */
export function bucketsOf(range: DayRange): Bucket[] {
  const size = bucketSize(range);
  const buckets: Bucket[] = [];
  for (let from = range.from; from <= range.until;) {
    const next = size === "day" ? from + 1 : size === "week" ? from + 7 : nextMonth(from);
    buckets.push({ from, until: Math.min(next - 1, range.until) });
    from = next;
  }
  return buckets;
}

function nextMonth(day: DayNumber): DayNumber {
  const [year = 0, month = 1] = new Date(day * 86_400_000).toISOString().split("-").map(Number);
  const start = instantOf({ year, month, day: 1 });
  return day + daysBetween(startOfDay(day), addMonths(start, 1));
}

/**
 * Returns how much larger `now` is than `before`, as a share of `before`; null without a period
 * before, or where it had nothing.
 */
export const changeShare = (now: number, before: number | null): number | null =>
  before === null || before === 0 ? null : (now - before) / before;

/** Sums the rows of each bucket. */
export function sumsByBucket<Row extends { day: DayNumber }>(
  buckets: readonly Bucket[],
  rows: readonly Row[],
  valueOf: (row: Row) => number,
): number[] {
  const sums = buckets.map(() => 0);
  let at = 0;
  for (const row of rows.toSorted((a, b) => a.day - b.day)) {
    while (at < buckets.length - 1 && row.day > (buckets[at]?.until ?? 0)) at += 1;
    const bucket = buckets[at];
    if (bucket && row.day >= bucket.from && row.day <= bucket.until)
      sums[at] = (sums[at] ?? 0) + valueOf(row);
  }
  return sums;
}

export const isWithin = (range: DayRange | null, day: DayNumber): boolean =>
  range !== null && day >= range.from && day <= range.until;
