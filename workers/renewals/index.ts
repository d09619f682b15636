import { z } from "zod";
import { advanceSubscription } from "#app/domain/subscriptions/commands/renew.server.ts";
import { sweepVacation } from "#app/domain/subscriptions/commands/vacations.server.ts";
import { jobOf } from "#workers/job.ts";
import { runRenewals } from "./run.ts";

const { worker, Jobs } = jobOf({
  schema: z.object({ version: z.literal(1), type: z.enum(["subscription.renew", "vacation.sweep"]), id: z.string().max(64) }),
  run: (ctx, { type, id }) => (type === "vacation.sweep" ? sweepVacation(ctx, { vacationId: id }) : advanceSubscription(ctx, { subscriptionId: id })),
  cron: runRenewals,
});

export default worker;
export { Jobs };
