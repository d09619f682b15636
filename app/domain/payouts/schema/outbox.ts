import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const payoutMessages = {
  "payout.paid": z.object({ payoutId: z.string(), creatorId: z.string(), amountCents: z.number() }),
  "payout.failed": z.object({
    payoutId: z.string(),
    creatorId: z.string(),
    amountCents: z.number(),
  }),
  "payout.returned": z.object({
    payoutId: z.string(),
    creatorId: z.string(),
    amountCents: z.number(),
  }),
  "payout.held": z.object({
    payoutId: z.string(),
    creatorId: z.string(),
    reason: z.enum(["documents", "changed_method", "approval", "owner_differs"]),
    until: z.number().nullable(),
  }),
  /** All payouts of a person, future ones too. `reason` is the moderator's own text. */
  "payouts.held": z.object({ creatorId: z.string(), reason: z.string() }),
  "payouts.released": z.object({ creatorId: z.string() }),
  "payout.canceled": z.object({ payoutId: z.string(), creatorId: z.string(), reason: z.string() }),
  /**
   * The payout ended before anything left. `reason` is whole sentences, which say where the money
   * is.
   */
  "payout.ended": z.object({ payoutId: z.string(), creatorId: z.string(), reason: z.string() }),
  "payout.approval_asked": z.object({
    payoutId: z.string(),
    moderatorIds: z.array(z.string()),
    amountCents: z.number(),
  }),
  "withdrawal.changed": z.object({
    creatorId: z.string(),
    pixKeyMasked: z.string(),
    isAccount: z.boolean().optional(),
    holdUntil: z.number(),
  }),
  "payout.requested": z.object({
    payoutId: z.string(),
    creatorId: z.string(),
    memberName: z.string(),
  }),
};

export type PayoutMessage = MessageOf<typeof payoutMessages>;
