import { z } from "zod";
import { deliverMessage } from "#app/domain/notifications/commands.server.ts";
import { jobOf } from "#workers/job.ts";
import { sweepOutbox } from "./sweep.ts";

const { worker, Jobs } = jobOf({
  schema: z.object({ version: z.literal(1), type: z.literal("outbox.deliver"), id: z.string().max(200) }),
  run: (ctx, { id }) => deliverMessage(ctx, { outboxId: id }),
  cron: sweepOutbox,
});

export default worker;
export { Jobs };
