import { z } from "zod";
import { pixMandateIntervals } from "#app/domain/payments/schema.ts";

/** The sandbox's answers, as far as the product reads them. Anything else is an unclear answer. */
const cents = z.int().min(0);
const instant = z.int().positive();
const id = z.string().min(1).max(80);
const reference = z.string().min(1).max(64);

export const chargeAnswer = z.object({
  id,
  reference,
  status: z.enum([
    "awaiting_payment",
    "requires_action",
    "processing",
    "succeeded",
    "failed",
    "expired",
    "canceled",
  ]),
  amount_cents: cents,
  refunded_cents: cents,
  pix_code: z.string().nullable(),
  next_action_url: z.url().nullable(),
  expires_at: instant.nullable(),
  failure_code: z.string().nullable(),
  settles_at: instant.nullable(),
  saved_method: z.string().nullable(),
  cost_cents: cents.nullable(),
  recurring_pix: id.nullable(),
  created_at: instant,
});

export const refundAnswer = z.object({
  id,
  reference,
  charge: id,
  status: z.enum(["processing", "succeeded", "failed"]),
  amount_cents: cents,
  cost_cents: cents.nullable(),
  created_at: instant,
});

export const transferAnswer = z.object({
  id,
  reference,
  status: z.enum(["processing", "paid", "failed", "returned"]),
  amount_cents: cents,
  failure_code: z.string().nullable(),
  cost_cents: cents.nullable(),
  created_at: instant,
});

export const disputeAnswer = z.object({
  id,
  charge: id,
  kind: z.enum(["card", "med"]),
  status: z.enum(["needs_response", "under_review", "won", "lost"]),
  amount_cents: cents,
  respond_by: instant,
  cost_cents: cents.nullable(),
  created_at: instant,
});

export const fileAnswer = z.object({ id });

export const savedMethodAnswer = z.object({
  id,
  status: z.enum(["requires_action", "ready", "failed", "removed"]),
  brand: z.string().nullable(),
  last4: z.string().nullable(),
  next_action_url: z.url().nullable(),
  failure_code: z.string().nullable(),
});

export const recurringPixAnswer = z.object({
  id,
  reference,
  status: z.enum(["created", "active", "rejected", "canceled", "expired"]),
  interval: z.enum(pixMandateIntervals),
  amount_cents: cents.nullable(),
  pix_code: z.string().nullable(),
  first_charge: id,
  expires_at: instant,
  created_at: instant,
});

export const instructionAnswer = z.object({
  id,
  charge: id,
  recurring_pix: id,
  status: z.enum(["created", "scheduled", "settled", "refused", "canceled"]),
  due_on: z.iso.date(),
  failure_code: z.string().nullable(),
});

/** Without an owner the key does not exist. */
export const pixKeyAnswer = z.object({
  object: z.literal("pix_key"),
  owner: z.object({ name: z.string(), tax_id: z.string() }).nullable(),
});

export const balanceAnswer = z.object({ available_cents: z.int(), pending_cents: z.int() });

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), has_more: z.boolean() });
export const chargeList = listOf(chargeAnswer);
export const refundList = listOf(refundAnswer);
export const transferList = listOf(transferAnswer);
export const disputeList = listOf(disputeAnswer);
export const recurringPixList = listOf(recurringPixAnswer);
export const instructionList = listOf(instructionAnswer);

export const errorAnswer = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

export const webhookBody = z.object({
  type: z.string(),
  data: z.object({ object: z.string().max(40), id }),
});
