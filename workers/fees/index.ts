import { z } from "zod";
import { jobOf } from "#workers/job.ts";
import { applyEvent, AT_ONCE, sweepInbox } from "./apply-event.ts";

const { worker, Jobs } = jobOf({
  schema: z.object({ version: z.literal(1), type: z.literal("inbox.received"), id: z.string().max(200) }),
  atOnce: AT_ONCE,
  run: (ctx, { id }) => applyEvent(ctx, { inboxId: id }),
  cron: sweepInbox,
});

export default worker;
export { Jobs };
