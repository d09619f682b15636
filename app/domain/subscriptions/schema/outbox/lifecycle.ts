import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";
import { aboutSubscription } from "./about.ts";

export const lifecycleMessages = {
  "subscription.started": z.object({
    ...aboutSubscription,
    chargeId: z.string(),
    creatorId: z.string(),
    fanName: z.string(),
    creatorUsername: z.string(),
    amountCents: z.number(),
    welcomeMessage: z.string(),
    /** It is paid, and begins then, as what was given ends; left out for what begins at once. */
    beginsAt: z.number().optional(),
  }),
  "subscription.ended": z.object({
    ...aboutSubscription,
    creatorUsername: z.string(),
    /** It was given, and ran out. */
    isGift: z.boolean().optional(),
    /** What its person paid begins after it. */
    isFollowed: z.boolean().optional(),
  }),
  "subscription.begun": z.object({
    ...aboutSubscription,
    creatorUsername: z.string(),
    nextChargeAt: z.number(),
    welcomeMessage: z.string().optional(),
  }),
  /** What is paid and did not begin does on another day than was agreed. */
  "subscription.beginning_moved": z.object({ ...aboutSubscription, beginsAt: z.number() }),
  /** What was paid never will begin: who pays and who sells do not see each other any more. */
  "subscription.called_off": z.object({
    ...aboutSubscription,
    fanName: z.string(),
    creatorId: z.string(),
    refundCents: z.number(),
    beginsAt: z.number(),
  }),
  "subscription.canceled": z.object({
    ...aboutSubscription,
    protocol: z.string(),
    accessUntil: z.number().nullable(),
    undoUrl: z.string(),
  }),
  "subscription.paused": z.object({
    ...aboutSubscription,
    resumesAt: z.number(),
    nextChargeAt: z.number(),
    undoUrl: z.string().default(""),
  }),
  "subscription.resumed": z.object({ ...aboutSubscription, nextChargeAt: z.number() }),
  "subscription.reactivated": z.object({
    ...aboutSubscription,
    nextChargeAt: z.number(),
    amountCents: z.number(),
    method: z.enum(["pix", "card"]),
    isAutomatic: z.boolean().optional(),
    isMethodMoved: z.boolean(),
  }),
  "subscription.closed": z.object({ ...aboutSubscription, refundCents: z.number() }),
};

export type LifecycleMessage = MessageOf<typeof lifecycleMessages>;
