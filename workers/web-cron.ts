import { analyticsSteps } from "#app/domain/analytics/commands/steps.server.ts";
import type { Context } from "#app/domain/context.ts";
import { mediaSteps } from "#app/domain/media/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { syndicationSteps } from "#app/domain/syndication/commands/steps.server.ts";
import { runCronSteps } from "./scheduler.ts";

/** The hourly steps of the web worker's cron, in this order. */
export const WEB_ORDER: readonly Step[] = [
  analyticsSteps.forgetSalts,
  mediaSteps.sweep,
  syndicationSteps.cutSitemap,
  analyticsSteps.rollUp,
  analyticsSteps.sumPlatform,
  analyticsSteps.refreshSnapshots,
  analyticsSteps.countBroadcasts,
  analyticsSteps.summarizeWeeks,
];

/** Runs the web worker's cron once. */
export async function runWebCron(ctx: Context): Promise<void> {
  await runCronSteps(ctx, WEB_ORDER);
}
