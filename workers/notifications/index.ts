import { z } from "zod";
import { createQueueWorker } from "#workers/job.ts";
import { publishDuePost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { deliverMessage } from "./deliver.ts";
import { runNotificationsCron } from "./sweep.ts";

const { worker, Jobs } = createQueueWorker({
  schema: z.object({
    version: z.literal(1),
    type: z.enum(["outbox.deliver", "post.publish"]),
    id: z.string().max(200),
  }),
  run: (ctx, { type, id }) =>
    type === "post.publish"
      ? publishDuePost(ctx, { postId: id })
      : deliverMessage(ctx, { outboxId: id }),
  cron: runNotificationsCron,
});

export default worker;
export { Jobs };
