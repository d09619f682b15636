import { z } from "zod";
import { jobOf } from "#workers/job.ts";
import { renew, runRenewals } from "./run.ts";

const { worker, Jobs } = jobOf({
  schema: z.object({
    version: z.literal(1),
    type: z.enum(["subscription.renew", "vacation.sweep"]),
    id: z.string().max(64),
    until: z.number().optional(),
  }),
  run: renew,
  cron: runRenewals,
});

export default worker;
export { Jobs };
