import { viewDimensions } from "#app/domain/analytics/views/schema.ts";
import type {
  ViewDimension,
  ViewKind,
  ViewPoint,
  ViewRange,
  ViewSourceSum,
  ViewStore,
  ViewSum,
} from "#app/domain/analytics/views/schema.ts";
import { isTimeZone } from "#app/domain/notifications/rules/quiet-hours.ts";
import { SECOND_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

type DataPoint = { indexes: [string]; blobs: string[]; doubles: number[] };

/** A dataset of Analytics Engine, or ours that behaves like one. */
export type ViewDataset = {
  writeDataPoint(point: DataPoint, at: Instant): Promise<void>;
  /** Runs a query of the SQL API and returns its rows. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Writes seconds since 1970 as the dialect has it. */
  timeText(seconds: number): string;
  forget(before: Instant): Promise<void>;
};

/** The name of the dataset in production, and of the table that stands for it elsewhere. */
const VIEWS_DATASET = "coreto_views";

/**
 * The blobs in their order. The index is the creator, so that sampling is fair among them: a flood
 * on one page costs no other its precision.
 */
const dataPointOf = (point: ViewPoint): DataPoint => ({
  indexes: [point.creatorId],
  blobs: [
    point.timeZone,
    point.subject,
    point.kind,
    point.visitor,
    point.referrer,
    point.campaign,
    point.device,
    point.country,
    point.link,
  ],
  doubles: [1],
});

const COLUMN_OF: Record<ViewDimension, string> = {
  referrer: "blob5",
  campaign: "blob6",
  device: "blob7",
  country: "blob8",
  link: "blob9",
};

/** The rows of one answer. */
const PAGE_ROWS = 10_000;

/** Makes the views' store of a dataset: the same queries for each. */
export function viewStore(dataset: ViewDataset): ViewStore {
  return {
    record: (point, at) => dataset.writeDataPoint(dataPointOf(point), at),
    async sums(range) {
      const [parts, wholes] = [
        await rowsOf(dataset, range, { columns: "index1, blob2, blob3", where: "" }),
        await rowsOf(dataset, range, { columns: "index1, blob3", where: "" }),
      ];
      return [...parts, ...wholes].map(sumOf);
    },
    async sourceSums(range) {
      const sums: ViewSourceSum[] = [];
      for (const dimension of viewDimensions) {
        const column = COLUMN_OF[dimension];
        const rows = await rowsOf(dataset, range, {
          columns: `index1, ${column}`,
          where: ` AND blob3 = 'view' AND ${column} <> ''`,
        });
        sums.push(
          ...rows.map((row) => ({ ...countsOf(row), dimension, value: String(row[column]) })),
        );
      }
      return sums;
    },
    forget: (before) => dataset.forget(before),
  };
}

async function rowsOf(
  dataset: ViewDataset,
  { timeZone, from, until }: ViewRange,
  { columns, where }: { columns: string; where: string },
): Promise<Record<string, unknown>[]> {
  // The only text that enters the query: a name of the product's own list.
  if (!isTimeZone(timeZone)) throw new Error(`unknown time zone: ${timeZone}`);
  const time = (at: Instant) => dataset.timeText(Math.ceil(at / SECOND_MS));
  const all: Record<string, unknown>[] = [];
  for (let offset = 0; ; offset += PAGE_ROWS) {
    const rows = await dataset.query(
      `SELECT ${columns}, SUM(_sample_interval) AS viewsCount, COUNT(DISTINCT blob4) AS visitorsCount FROM ${VIEWS_DATASET} WHERE blob1 = '${timeZone}' AND timestamp >= ${time(from)} AND timestamp < ${time(until)}${where} GROUP BY ${columns} ORDER BY ${columns} LIMIT ${PAGE_ROWS} OFFSET ${offset}`,
    );
    all.push(...rows);
    if (rows.length < PAGE_ROWS) return all;
  }
}

/** The API writes large numbers as text. */
const countsOf = (row: Record<string, unknown>) => ({
  creatorId: String(row.index1),
  count: Number(row.viewsCount),
  visitors: Number(row.visitorsCount),
});

const sumOf = (row: Record<string, unknown>): ViewSum => ({
  ...countsOf(row),
  subject: row.blob2 === undefined ? null : String(row.blob2),
  kind: String(row.blob3) as ViewKind,
});
