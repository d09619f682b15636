import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";
import { aboutSubscription } from "./about.ts";

export const priceChangeMessages = {
  "subscription.price_asked": z.object({
    ...aboutSubscription,
    /** "R$ 20,00 por mês". */
    fromPrice: z.string(),
    toPrice: z.string(),
    takesEffectAt: z.number(),
    needsMandate: z.boolean(),
    movesToPix: z.boolean(),
    isReminder: z.boolean(),
    /** Answers without signing in, until `linkUntil`. */
    url: z.string(),
    linkUntil: z.number(),
  }),
  "subscription.price_lowered": z.object({
    ...aboutSubscription,
    fromPrice: z.string(),
    toPrice: z.string(),
    /** The start of the next period. */
    beginsAt: z.number().nullable(),
  }),
  "subscription.price_answered": z.object({
    ...aboutSubscription,
    isAccepted: z.boolean(),
    fromPrice: z.string(),
    toPrice: z.string(),
    takesEffectAt: z.number(),
    needsMandate: z.boolean(),
    appOrigin: z.string(),
  }),
};

export type PriceChangeMessage = MessageOf<typeof priceChangeMessages>;
