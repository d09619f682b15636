import type { ReadSum, ViewSourceSum, ViewSum } from "#app/domain/analytics/views/schema.ts";
import { viewDimensions } from "#app/domain/analytics/views/schema.ts";

/** A row of a day: what was seen of one subject. */
export type DayRow = {
  subject: string;
  views: number;
  visitors: number;
  plays: number;
  reads: number;
  readSeconds: number;
};

/** The subject of all pages of a creator together. */
export const ALL_SUBJECT = "all";

/** The values of a dimension that a day keeps; the rest is summed as `OTHER_VALUE`. */
export const MOST_VALUES = 30;
export const OTHER_VALUE = "outros";

const NOTHING_SEEN = { views: 0, visitors: 0, plays: 0, reads: 0, readSeconds: 0 };

/**
 * Puts the sums of a day together, a list of rows for each creator. A visitor plays a file once a
 * day, however often its player says so.
 */
export function dayRows(
  sums: readonly ViewSum[],
  reads: readonly ReadSum[] = [],
): Map<string, DayRow[]> {
  const days = new Map<string, Map<string, DayRow>>();
  const rowOf = (creatorId: string, subject: string): DayRow => {
    const rows = days.get(creatorId) ?? new Map<string, DayRow>();
    days.set(creatorId, rows);
    const row = rows.get(subject) ?? { subject, ...NOTHING_SEEN };
    rows.set(subject, row);
    return row;
  };
  for (const { creatorId, subject, reads: count, seconds } of reads)
    Object.assign(rowOf(creatorId, subject), { reads: count, readSeconds: Math.round(seconds) });
  for (const { creatorId, subject, kind, count, visitors } of sums) {
    const row = rowOf(creatorId, subject ?? ALL_SUBJECT);
    if (kind === "play") row.plays += visitors;
    else Object.assign(row, { views: row.views + count, visitors: row.visitors + visitors });
  }
  return new Map([...days].map(([creatorId, rows]) => [creatorId, [...rows.values()]]));
}

export type SourceRow = Pick<ViewSourceSum, "dimension" | "value"> & {
  views: number;
  visitors: number;
};

/**
 * Keeps the values of each dimension with the most views, and sums the rest as one. Of two with as
 * many views, the first in the alphabet is kept, so that a day made again has the same rows.
 */
export function sourceRows(sums: readonly ViewSourceSum[]): SourceRow[] {
  return viewDimensions.flatMap((dimension) => {
    const sorted = sums
      .filter((sum) => sum.dimension === dimension && sum.value !== OTHER_VALUE)
      .map(({ value, count, visitors }) => ({ dimension, value, views: count, visitors }))
      .sort((a, b) => b.views - a.views || (a.value < b.value ? -1 : 1));
    const rest = sorted.slice(MOST_VALUES);
    if (rest.length === 0) return sorted;
    const other = {
      dimension,
      value: OTHER_VALUE,
      views: rest.reduce((sum, { views }) => sum + views, 0),
      visitors: rest.reduce((sum, { visitors }) => sum + visitors, 0),
    };
    return [...sorted.slice(0, MOST_VALUES), other];
  });
}
