import type { Context } from "#app/domain/context.ts";
import { mediaSteps } from "#app/domain/media/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { syndicationSteps } from "#app/domain/syndication/commands/steps.server.ts";
import { runCronSteps } from "#workers/scheduler.ts";

/** What the web worker's cron does every hour, in this order. */
export const WEB_ORDER: readonly Step[] = [mediaSteps.sweep, syndicationSteps.cutSitemap];

/** One run of the web worker's cron. */
export async function runWebCron(ctx: Context): Promise<void> {
  await runCronSteps(ctx, WEB_ORDER);
}
