import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";
import { aboutSubscription } from "./about.ts";

export const pixMandateMessages = {
  "subscription.debit_refused": z.object({
    ...aboutSubscription,
    amountCents: z.number(),
    appOrigin: z.string(),
  }),
  "subscription.automatic": z.object({
    ...aboutSubscription,
    what: z.enum(["authorised", "refused", "ended"]),
    amountCents: z.number(),
    ceilingCents: z.number(),
    nextDebitOn: z.string(),
    method: z.enum(["pix", "card"]),
    appOrigin: z.string(),
  }),
};

export type PixMandateMessage = MessageOf<typeof pixMandateMessages>;
