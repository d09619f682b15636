import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const planMessages = {
  "subscription.full_price": z.object({
    subscriptionId: z.string(),
    fanId: z.string(),
    creatorName: z.string(),
    planName: z.string(),
    code: z.string(),
    amountCents: z.number(),
    beginsAt: z.number(),
  }),
};

export type PlanMessage = MessageOf<typeof planMessages>;
