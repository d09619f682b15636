import {
  countBroadcast,
  dueBroadcastCounts,
} from "#app/domain/analytics/broadcasts/commands.server.ts";
import { dueSnapshots, refreshSnapshots } from "#app/domain/analytics/people/commands.server.ts";
import { sumRecentPlatformDays } from "#app/domain/analytics/platform/commands.server.ts";
import { forgetSalts } from "#app/domain/analytics/views/commands.server.ts";
import { rollUpDue } from "#app/domain/analytics/rollups/commands.server.ts";
import { stepPerBatch, stepPerRow } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { dueSummaries, summarizeWeeks } from "#app/domain/analytics/summary/commands.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

/** A creator has 50,000 rows at most, so that ten fit into memory. */
const CREATORS_AT_ONCE = 10;

export const analyticsSteps = {
  // First and alone: no failure of the sums may keep a secret longer than its day.
  forgetSalts: {
    name: "analytics.forget_salts",
    event: "analytics.salts_not_forgotten",
    run: forgetSalts,
  },
  rollUp: {
    name: "analytics.roll_up",
    event: "analytics.rollup_failed",
    run: rollUpDue,
  },
  sumPlatform: {
    name: "analytics.sum_platform",
    event: "analytics.rollup_failed",
    run: sumRecentPlatformDays,
  },
  // Some at once, in two calls to D1: hundreds of calls are thousands of creators an hour.
  refreshSnapshots: stepPerBatch({
    name: "analytics.refresh_snapshots",
    event: "analytics.snapshot_failed",
    size: CREATORS_AT_ONCE,
    due: dueSnapshots,
    together: (ctx, creatorIds) => refreshSnapshots(ctx, { creatorIds }),
  }),
  countBroadcasts: stepPerRow({
    name: "analytics.count_broadcasts",
    event: "analytics.broadcast_not_counted",
    due: dueBroadcastCounts,
    each: (ctx, broadcastId) => countBroadcast(ctx, { broadcastId }),
  }),
  summarizeWeeks: stepPerBatch({
    name: "analytics.summarize_weeks",
    event: "analytics.summary_failed",
    size: CREATORS_AT_ONCE,
    due: dueSummaries,
    together: (ctx, creatorIds) => summarizeWeeks(ctx, { creatorIds }),
  }),
} satisfies Record<string, Step>;
