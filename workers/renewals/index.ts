import { z } from "zod";
import { advanceSubscription } from "#app/domain/subscriptions/commands/renew.server.ts";
import { jobOf } from "#workers/job.ts";
import { runRenewals } from "./run.ts";

const { worker, Jobs } = jobOf({
  schema: z.object({ version: z.literal(1), type: z.literal("subscription.renew"), id: z.string().max(64) }),
  run: (ctx, { id }) => advanceSubscription(ctx, { subscriptionId: id }),
  cron: runRenewals,
});

export default worker;
export { Jobs };
