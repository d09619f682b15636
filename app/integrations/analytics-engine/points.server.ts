import { viewDimensions } from "#app/domain/analytics/views/schema.ts";
import type {
  ViewDimension,
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
  doubles: [point.value],
});

const COLUMN_OF: Record<ViewDimension, string> = {
  referrer: "blob5",
  campaign: "blob6",
  device: "blob7",
  country: "blob8",
  link: "blob9",
};

/** The rows of one answer. The reference documents LIMIT, and no OFFSET. */
const PAGE_ROWS = 10_000;
/** Creators named in one query. */
const CREATORS_A_QUERY = 50;

/** Makes the views' store of a dataset: the same queries for each. */
export function viewStore(dataset: ViewDataset): ViewStore {
  const asked = (range: ViewRange, creatorIds: readonly string[], query: PointsQuery) =>
    rowsOf(dataset, range, creatorIds, query);
  return {
    record: (point, at) => dataset.writeDataPoint(dataPointOf(point), at),
    async creators(range, { after, limit }) {
      const rows = await dataset.query(creatorsQuery(dataset, range, { after, limit }));
      return rows.map((row) => String(row.index1));
    },
    async sums(range, creatorIds) {
      const where = "blob3 IN ('view', 'play')";
      const [parts, wholes] = [
        await asked(range, creatorIds, { columns: "index1, blob2, blob3", where }),
        await asked(range, creatorIds, { columns: "index1, blob3", where }),
      ];
      return [...parts, ...wholes].map(sumOf);
    },
    async sourceSums(range, creatorIds) {
      const sums: ViewSourceSum[] = [];
      for (const dimension of viewDimensions) {
        const column = COLUMN_OF[dimension];
        const rows = await asked(range, creatorIds, {
          columns: `index1, ${column}`,
          where: `blob3 = 'view' AND ${column} <> ''`,
        });
        sums.push(
          ...rows.map((row) => ({ ...countsOf(row), dimension, value: String(row[column]) })),
        );
      }
      return sums;
    },
    async readSums(range, creatorIds) {
      const rows = await asked(range, creatorIds, {
        columns: "index1, blob2",
        where: "blob3 = 'read'",
      });
      return rows.map((row) => ({
        ...creatorAndSubject(row),
        reads: Number(row.viewsCount),
        seconds: Number(row.valuesSum),
      }));
    },
    async reachSums(range, creatorIds) {
      const rows = await asked(range, creatorIds, {
        columns: "index1, blob2, double1",
        where: "blob3 = 'reach'",
      });
      return rows.map((row) => ({
        ...creatorAndSubject(row),
        step: Number(row.double1),
        plays: Number(row.viewsCount),
      }));
    },
    forget: (before) => dataset.forget(before),
  };
}

type PointsQuery = { columns: string; where: string };

/**
 * Asks for a few creators at a time, so that an answer is never cut. One with more rows than an
 * answer holds is asked for again by halves; of a single creator the most frequent rows are kept.
 */
async function rowsOf(
  dataset: ViewDataset,
  range: ViewRange,
  creatorIds: readonly string[],
  query: PointsQuery,
): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  for (let at = 0; at < creatorIds.length; at += CREATORS_A_QUERY)
    all.push(...(await halved(dataset, range, creatorIds.slice(at, at + CREATORS_A_QUERY), query)));
  return all;
}

async function halved(
  dataset: ViewDataset,
  range: ViewRange,
  creatorIds: readonly string[],
  query: PointsQuery,
): Promise<Record<string, unknown>[]> {
  const rows = await dataset.query(sumsQuery(dataset, range, creatorIds, query));
  if (rows.length < PAGE_ROWS || creatorIds.length < 2) return rows;
  const middle = Math.ceil(creatorIds.length / 2);
  return [
    ...(await halved(dataset, range, creatorIds.slice(0, middle), query)),
    ...(await halved(dataset, range, creatorIds.slice(middle), query)),
  ];
}

type Dialect = Pick<ViewDataset, "timeText">;

/** The creators with points of a range, in order, from after one of them on. */
export const creatorsQuery = (
  dialect: Dialect,
  range: ViewRange,
  { after, limit }: { after: string | null; limit: number },
): string =>
  `SELECT index1, SUM(_sample_interval) AS viewsCount FROM ${VIEWS_DATASET} WHERE ${within(dialect, range)}${after === null ? "" : ` AND index1 > ${idText(after)}`} GROUP BY index1 ORDER BY index1 LIMIT ${limit}`;

/**
 * The sums of some creators' points. Every sum is weighed by `_sample_interval`, as the reference
 * asks; the number of different visitors cannot be, and is a lower bound.
 */
export const sumsQuery = (
  dialect: Dialect,
  range: ViewRange,
  creatorIds: readonly string[],
  { columns, where }: PointsQuery,
): string =>
  `SELECT ${columns}, SUM(_sample_interval) AS viewsCount, SUM(_sample_interval * double1) AS valuesSum, COUNT(DISTINCT blob4) AS visitorsCount FROM ${VIEWS_DATASET} WHERE ${within(dialect, range)} AND index1 IN (${creatorIds.map(idText).join(", ")}) AND ${where} GROUP BY ${columns} ORDER BY viewsCount DESC LIMIT ${PAGE_ROWS}`;

function within(dialect: Dialect, { timeZone, from, until }: ViewRange): string {
  // A name of the product's own list; ids are checked too. No other text enters a query.
  if (!isTimeZone(timeZone)) throw new Error(`unknown time zone: ${timeZone}`);
  const time = (at: Instant) => dialect.timeText(Math.ceil(at / SECOND_MS));
  return `blob1 = '${timeZone}' AND timestamp >= ${time(from)} AND timestamp < ${time(until)}`;
}

function idText(id: string): string {
  if (!/^[\w-]{1,64}$/.test(id)) throw new Error("not an id of a creator");
  return `'${id}'`;
}

/** The API writes large numbers as text. */
const countsOf = (row: Record<string, unknown>) => ({
  creatorId: String(row.index1),
  count: Number(row.viewsCount),
  visitors: Number(row.visitorsCount),
});

const creatorAndSubject = (row: Record<string, unknown>) => ({
  creatorId: String(row.index1),
  subject: String(row.blob2),
});

const sumOf = (row: Record<string, unknown>): ViewSum => ({
  ...countsOf(row),
  subject: row.blob2 === undefined ? null : String(row.blob2),
  kind: row.blob3 === "play" ? "play" : "view",
});
