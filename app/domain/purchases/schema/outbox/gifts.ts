import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const giftMessages = {
  "gift.bought": z.object({
    giftId: z.string(),
    chargeId: z.string(),
    giverId: z.string(),
    giverName: z.string(),
    creatorId: z.string(),
    creatorName: z.string(),
    planName: z.string(),
    amountCents: z.number(),
    recipientName: z.string(),
    /** Whether the recipient gets an e-mail, now or on `deliverAt`. */
    isMailed: z.boolean(),
    deliverAt: z.number().nullable(),
    claimUntil: z.number(),
    link: z.string(),
    path: z.string(),
  }),
  "gift.delivered": z.object({
    giftId: z.string(),
    email: z.string(),
    giverName: z.string(),
    recipientName: z.string(),
    message: z.string(),
    creatorName: z.string(),
    planName: z.string(),
    claimUntil: z.number(),
    link: z.string(),
  }),
  "gift.claimed": z.object({
    giftId: z.string(),
    giverId: z.string(),
    claimerId: z.string(),
    claimerName: z.string(),
    creatorId: z.string(),
    creatorName: z.string(),
    planName: z.string(),
    accessUntil: z.number(),
    path: z.string(),
  }),
  "gift.taken_back": z.object({
    giftId: z.string(),
    claimerId: z.string(),
    creatorName: z.string(),
    creatorUsername: z.string(),
    planName: z.string(),
    /** The claimer paid for what starts after it. */
    isFollowed: z.boolean().optional(),
  }),
};

export type GiftMessage = MessageOf<typeof giftMessages>;
