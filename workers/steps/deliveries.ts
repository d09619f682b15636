import { forgetReaders, newsletters } from "#app/domain/newsletters/commands/reactions.server.ts";
import { drainDueDeliveries } from "#app/domain/notifications/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

export const deliverySteps = {
  sendDue: {
    name: "notifications.send_deliveries",
    event: "notifications.deliveries_failed",
    run: (ctx, hasRoom) => drainDueDeliveries(ctx, { hasRoom, newsletters }),
  },
  forgetReaders: {
    name: "newsletters.forget_readers",
    event: "newsletters.forgetting_failed",
    run: forgetReaders,
  },
} satisfies Record<string, Step>;
