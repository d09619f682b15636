import { eraseRemovedComments } from "#app/domain/comments/commands.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

export const commentSteps = {
  eraseRemoved: {
    name: "comments.erase_removed",
    event: "notifications.comments_failed",
    run: eraseRemovedComments,
  },
} satisfies Record<string, Step>;
