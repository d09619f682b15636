import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const paymentMessages = {
  "charge.to_confirm": z.object({
    chargeId: z.string(),
    payerId: z.string(),
    amountCents: z.number(),
    description: z.string(),
    /** When it expires. */
    confirmUntil: z.number(),
    appOrigin: z.string(),
  }),
  "charge.refunded": z.object({
    chargeId: z.string(),
    refundId: z.string(),
    payerId: z.string(),
    amountCents: z.number(),
    description: z.string(),
    reason: z.string(),
  }),
  "charge.refund_refused": z.object({
    chargeId: z.string(),
    refundId: z.string(),
    payerId: z.string(),
    amountCents: z.number(),
    description: z.string(),
  }),
  "refund.key_asked": z.object({
    chargeId: z.string(),
    refundId: z.string(),
    payerId: z.string(),
    amountCents: z.number(),
    description: z.string(),
    /** Where the payer gives their Pix key, signed in or not. */
    url: z.string(),
    /** A Pix to the given key did not arrive. */
    isAgain: z.boolean(),
    isReminder: z.boolean(),
  }),
  "refund.transferred": z.object({
    chargeId: z.string(),
    refundId: z.string(),
    payerId: z.string(),
    amountCents: z.number(),
    description: z.string(),
  }),
  "charge.disputed": z.object({
    chargeId: z.string(),
    disputeId: z.string(),
    creatorId: z.string(),
    amountCents: z.number(),
    /** The amount paid, of which the dispute may cover a part. */
    paidCents: z.number().optional(),
    description: z.string(),
    disputeKind: z.enum(["card", "med"]).default("card"),
    respondBy: z.number().nullable().default(null),
  }),
  "dispute.decided": z.object({
    disputeId: z.string(),
    creatorId: z.string(),
    decision: z.enum(["won", "lost"]),
    amountCents: z.number(),
    netCents: z.number(),
    description: z.string(),
  }),
  "debt.paid": z.object({
    chargeId: z.string(),
    creatorId: z.string(),
    amountCents: z.number(),
    /** Debt that remains after it. */
    leftCents: z.number(),
  }),
  "fee.changed": z.object({ creatorId: z.string(), basisPoints: z.number(), startsAt: z.number() }),
};

export type PaymentMessage = MessageOf<typeof paymentMessages>;
