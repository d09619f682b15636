import { dueSnapshots, refreshSnapshot } from "#app/domain/analytics/people/commands.server.ts";
import { sumRecentPlatformDays } from "#app/domain/analytics/platform/commands.server.ts";
import { forgetSalts } from "#app/domain/analytics/views/commands.server.ts";
import { rollUpDue } from "#app/domain/analytics/rollups/commands.server.ts";
import { stepPerRow } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { dueSummaries, summarizeWeek } from "#app/domain/analytics/summary/commands.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

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
  refreshSnapshots: stepPerRow({
    name: "analytics.refresh_snapshots",
    event: "analytics.snapshot_failed",
    due: dueSnapshots,
    each: (ctx, creatorId) => refreshSnapshot(ctx, { creatorId }),
  }),
  summarizeWeeks: stepPerRow({
    name: "analytics.summarize_weeks",
    event: "analytics.summary_failed",
    due: dueSummaries,
    each: (ctx, creatorId) => summarizeWeek(ctx, { creatorId }),
  }),
} satisfies Record<string, Step>;
