import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";
import { aboutSubscription } from "./about.ts";

export const planChangeMessages = {
  "subscription.plan_changed": z.object({
    subscriptionId: z.string(),
    /** The payment of its difference or first period; null when it was notified before. */
    chargeId: z.string().nullable(),
    fanId: z.string(),
    creatorId: z.string(),
    fanName: z.string(),
    creatorName: z.string(),
    fromPlanName: z.string(),
    toPlanName: z.string(),
    /** "R$ 40,00 por mês". */
    toPrice: z.string(),
    /** The difference that was paid; 0 for none. */
    paidCents: z.number(),
    /** Its difference was refunded, and the former plan is back. */
    isBack: z.boolean(),
  }),
  "subscription.plan_change_scheduled": z.object({
    subscriptionId: z.string(),
    fanId: z.string(),
    creatorName: z.string(),
    fromPlanName: z.string(),
    toPlanName: z.string(),
    toPrice: z.string(),
    nextCents: z.number(),
    beginsAt: z.number(),
    undoUrl: z.string(),
  }),
  "subscription.plan_change_dropped": z.object({
    ...aboutSubscription,
    toPlanName: z.string(),
    isFull: z.boolean(),
    price: z.string(),
  }),
};

export type PlanChangeMessage = MessageOf<typeof planChangeMessages>;
