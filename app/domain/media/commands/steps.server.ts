import { sweepMedia } from "#app/domain/media/commands/sweep.server.ts";
import type { Step } from "#app/domain/setbacks/commands/steps.server.ts";

export const mediaSteps = {
  // Removes the files that nobody shows.
  sweep: { name: "media.sweep", event: "media.sweep_failed", run: (ctx) => sweepMedia(ctx) },
} satisfies Record<string, Step>;
