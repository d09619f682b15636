import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";
import { aboutSubscription } from "./about.ts";

export const renewalMessages = {
  "subscription.renewal_due": z.object({
    ...aboutSubscription,
    chargeId: z.string(),
    amountCents: z.number(),
    dueAt: z.number(),
    payUntil: z.number(),
    pixCode: z.string(),
    /** The first code after a trial. */
    isTrial: z.boolean().optional(),
    appOrigin: z.string(),
    /** Null when it cannot be paused. */
    pauseUrl: z.string().nullable().default(null),
    cancelUrl: z.string().default(""),
  }),
  "subscription.renewal_to_confirm": z.object({
    ...aboutSubscription,
    chargeId: z.string(),
    amountCents: z.number(),
    accessUntil: z.number(),
    appOrigin: z.string(),
  }),
  "subscription.renewal_failed": z.object({
    ...aboutSubscription,
    chargeId: z.string(),
    amountCents: z.number(),
    accessUntil: z.number(),
    appOrigin: z.string(),
    failureCode: z.string().nullable(),
    isForGood: z.boolean(),
    retryAt: z.number().nullable(),
  }),
  "subscription.reminded": z.object({
    ...aboutSubscription,
    amountCents: z.number(),
    method: z.enum(["pix", "card"]),
    isAutomatic: z.boolean(),
    /** The end of a trial; `isCharged` is what was consented to. */
    isTrial: z.boolean(),
    isCharged: z.boolean(),
    renewsAt: z.number(),
    linksUntil: z.number(),
    pauseUrl: z.string(),
    cancelUrl: z.string(),
    /** Its Pix code, if it was sent and is still open. */
    code: z.object({ pixCode: z.string(), payUntil: z.number(), payUrl: z.string() }).optional(),
  }),
  "subscription.tax_id_missing": z.object({
    ...aboutSubscription,
    amountCents: z.number(),
    renewsAt: z.number(),
    isTrial: z.boolean(),
    isAutomatic: z.boolean().optional(),
    appOrigin: z.string(),
  }),
  "subscription.past_due": z.object({
    ...aboutSubscription,
    amountCents: z.number(),
    isAutomatic: z.boolean().optional(),
    accessUntil: z.number(),
    appOrigin: z.string(),
  }),
  "subscription.renewed": z.object({
    ...aboutSubscription,
    chargeId: z.string(),
    creatorId: z.string(),
    amountCents: z.number(),
  }),
};

export type RenewalMessage = MessageOf<typeof renewalMessages>;
