import { z } from "zod";
import { createQueueWorker } from "#workers/job.ts";
import { runPayoutsCron, runPayoutJob } from "./run.ts";

const { worker, Jobs } = createQueueWorker({
  schema: z.object({
    version: z.literal(1),
    type: z.enum(["payout.claim", "payout.send", "key_owner.ask"]),
    id: z.string().max(64),
  }),
  run: runPayoutJob,
  cron: runPayoutsCron,
});

export default worker;
export { Jobs };
