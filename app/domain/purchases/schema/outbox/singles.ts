import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";
import { singleKinds } from "#app/domain/purchases/schema.ts";

export const singlePurchaseMessages = {
  "purchase.bought": z.object({
    purchaseId: z.string(),
    chargeId: z.string(),
    kind: z.enum(singleKinds),
    targetId: z.string(),
    title: z.string(),
    buyerId: z.string(),
    buyerName: z.string(),
    creatorId: z.string(),
    creatorName: z.string(),
    creatorUsername: z.string(),
    amountCents: z.number(),
  }),
};

export type SinglePurchaseMessage = MessageOf<typeof singlePurchaseMessages>;
