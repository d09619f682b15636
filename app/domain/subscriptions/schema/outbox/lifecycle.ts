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
    /** It is paid and starts then, when the gift or comp ends; left out when it starts at once. */
    beginsAt: z.number().optional(),
  }),
  "subscription.ended": z.object({
    ...aboutSubscription,
    creatorUsername: z.string(),
    /** It was a gift, and it ended as planned. */
    isGift: z.boolean().optional(),
    /** The fan's paid upcoming subscription starts after it. */
    isFollowed: z.boolean().optional(),
  }),
  "subscription.begun": z.object({
    ...aboutSubscription,
    creatorUsername: z.string(),
    nextChargeAt: z.number(),
    welcomeMessage: z.string().optional(),
  }),
  /** A paid upcoming subscription starts on another day than agreed. */
  "subscription.beginning_moved": z.object({ ...aboutSubscription, beginsAt: z.number() }),
  /** A paid upcoming subscription never starts: the payer and the seller no longer see each other. */
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
