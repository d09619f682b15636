import { sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { POINTS_RETENTION_DAYS } from "#app/domain/analytics/views/schema.ts";
import { SECOND_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { coretoViews } from "#drizzle/schema/analytics.ts";
import type { ViewDataset } from "./points.server.ts";

/** How long one count of points lasts, in milliseconds. */
const WINDOW_MS = 10 * SECOND_MS;
/** Up to so many points of an index in a window each is kept; then one of ten, then of a hundred. */
const STEPS: readonly { upTo: number; interval: number }[] = [
  { upTo: 1_000, interval: 1 },
  { upTo: 10_000, interval: 10 },
  { upTo: Number.POSITIVE_INFINITY, interval: 100 },
];

/**
 * Decides which points are kept, by index. Every so many points one is kept and weighs as many, so
 * that a sum is off by less than one interval a window.
 */
export function createSampler(): (index: string, at: Instant) => number {
  const seen = new Map<string, number>();
  let windowEndsAt = 0;
  return (index, at) => {
    if (at >= windowEndsAt || at < windowEndsAt - WINDOW_MS) {
      seen.clear();
      windowEndsAt = at - (at % WINDOW_MS) + WINDOW_MS;
    }
    const count = (seen.get(index) ?? 0) + 1;
    seen.set(index, count);
    const interval = STEPS.find(({ upTo }) => count <= upTo)?.interval ?? 1;
    return count % interval === 0 ? interval : 0;
  };
}

const sampler = createSampler();

/**
 * A dataset in D1 that behaves like Analytics Engine: it samples at writing, by index, and answers
 * the same queries. For products without the platform's, this machine's among them.
 */
export function localDataset(db: Database, sample = sampler): ViewDataset {
  return {
    async writeDataPoint({ indexes: [index1], blobs, doubles }, at) {
      const sampleInterval = sample(index1, at);
      if (sampleInterval === 0) return;
      const [blob1 = "", blob2 = "", blob3 = "", blob4 = "", blob5 = "", blob6 = ""] = blobs;
      const [blob7 = "", blob8 = "", blob9 = ""] = blobs.slice(6);
      await db.insert(coretoViews).values({
        timestamp: Math.floor(at / SECOND_MS),
        index1,
        blob1,
        blob2,
        blob3,
        blob4,
        blob5,
        blob6,
        blob7,
        blob8,
        blob9,
        double1: doubles[0] ?? 0,
        sampleInterval,
      });
    },
    query: (text) => db.all<Record<string, unknown>>(sql.raw(text)),
    timeText: String,
    async forget(before) {
      await db.run(
        sql`DELETE FROM coreto_views WHERE rowid IN (SELECT rowid FROM coreto_views WHERE timestamp < ${Math.floor(before / SECOND_MS)} LIMIT ${MOST_FORGOTTEN})`,
      );
    },
  };
}

const MOST_FORGOTTEN = POINTS_RETENTION_DAYS * 1_000;
