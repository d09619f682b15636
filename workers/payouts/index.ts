import { z } from "zod";
import { jobOf } from "#workers/job.ts";
import { payoutsCron, runPayoutJob } from "./run.ts";

const { worker, Jobs } = jobOf({
  schema: z.object({
    version: z.literal(1),
    type: z.enum(["payout.claim", "payout.send", "key_owner.ask"]),
    id: z.string().max(64),
  }),
  run: runPayoutJob,
  cron: payoutsCron,
});

export default worker;
export { Jobs };
