import { sweepMedia } from "./sweep.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

export const mediaSteps = {
  // Deletes files that nothing shows.
  sweep: { name: "media.sweep", event: "media.sweep_failed", run: (ctx) => sweepMedia(ctx) },
} satisfies Record<string, Step>;
