import { z } from "zod";
import { createQueueWorker } from "#workers/job.ts";
import { applyEvent, CONCURRENT_EVENTS, sweepInbox } from "./apply-event.ts";

const { worker, Jobs } = createQueueWorker({
  schema: z.object({
    version: z.literal(1),
    type: z.literal("inbox.received"),
    id: z.string().max(200),
    about: z.string().max(40).optional(),
    isPaid: z.boolean().optional(),
  }),
  atOnce: CONCURRENT_EVENTS,
  run: (ctx, { id: inboxId, ...event }) => applyEvent(ctx, { ...event, inboxId }),
  cron: sweepInbox,
});

export default worker;
export { Jobs };
