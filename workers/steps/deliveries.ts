import { writeNewsletters } from "#app/domain/newsletters/queries/mails.server.ts";
import { sendDueDeliveries } from "#app/domain/notifications/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

export const deliverySteps = {
  sendDue: {
    name: "notifications.send_deliveries",
    event: "notifications.deliveries_failed",
    run: (ctx, hasRoom) => sendDueDeliveries(ctx, hasRoom, writeNewsletters),
  },
} satisfies Record<string, Step>;
