import { z } from "zod";
import { deliverMessage } from "#app/domain/notifications/commands.server.ts";
import { jobOf } from "#workers/job.ts";
import { publishDuePost } from "#app/domain/posts/commands/life.server.ts";
import { everyMinute } from "./sweep.ts";

const { worker, Jobs } = jobOf({
  schema: z.object({
    version: z.literal(1),
    type: z.enum(["outbox.deliver", "post.publish"]),
    id: z.string().max(200),
  }),
  run: (ctx, { type, id }) =>
    type === "post.publish"
      ? publishDuePost(ctx, { postId: id })
      : deliverMessage(ctx, { outboxId: id }),
  cron: everyMinute,
});

export default worker;
export { Jobs };
