import { z } from "zod";
import { createQueueWorker } from "#workers/job.ts";
import { handleRenewalMessage, runRenewals } from "./run.ts";

const { worker, Jobs } = createQueueWorker({
  schema: z.object({
    version: z.literal(1),
    type: z.enum(["subscription.renew", "vacation.sweep"]),
    id: z.string().max(64),
    until: z.number().optional(),
  }),
  run: handleRenewalMessage,
  cron: runRenewals,
});

export default worker;
export { Jobs };
