import { z } from "zod";
import { createQueueWorker } from "#workers/job.ts";
import { recordMailEvent } from "#app/domain/notifications/commands/addresses.server.ts";
import { mailServiceEvent } from "#app/integrations/mail/service-events.ts";
import { sendBroadcastPage } from "#app/domain/broadcasts/commands/send.server.ts";
import { newsletters } from "#app/domain/newsletters/commands/reactions.server.ts";
import {
  DELIVERIES_AT_ONCE,
  sendDueDeliveries,
} from "#app/domain/notifications/commands/steps.server.ts";
import { sendPushesOf } from "#app/domain/notifications/commands.server.ts";
import { publishDuePost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { deliverMessage } from "./deliver.ts";
import { runNotificationsCron } from "./sweep.ts";

const { worker, Jobs } = createQueueWorker({
  schema: z.union([
    z.object({
      version: z.literal(1),
      type: z.enum([
        "outbox.deliver",
        "outbox.push",
        "post.publish",
        "broadcast.send",
        "deliveries.send",
      ]),
      id: z.string().max(200),
    }),
    mailServiceEvent,
  ]),
  run: (ctx, message) => {
    const { id } = message;
    switch (message.type) {
      case "mail.reported":
        return recordMailEvent(ctx, message.event);
      case "post.publish":
        return publishDuePost(ctx, { postId: id });
      case "broadcast.send":
        return sendBroadcastPage(ctx, { broadcastId: id });
      case "deliveries.send":
        return sendDueDeliveries(ctx, { newsletters, limit: DELIVERIES_AT_ONCE });
      case "outbox.push":
        return sendPushesOf(ctx, { outboxId: id });
      case "outbox.deliver":
        return deliverMessage(ctx, { outboxId: id });
    }
  },
  cron: runNotificationsCron,
});

export default worker;
export { Jobs };
