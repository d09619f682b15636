import { z } from "zod";

/** What the sandbox answers, as far as the product reads it. Anything else is an unclear answer. */
const cents = z.int().min(0);
const instant = z.int().positive();
const id = z.string().min(1).max(80);
const reference = z.string().min(1).max(64);

export const chargeAnswer = z.object({
  id,
  reference,
  status: z.enum(["awaiting_payment", "requires_action", "processing", "succeeded", "failed", "expired", "canceled"]),
  amount_cents: cents,
  refunded_cents: cents,
  pix_code: z.string().nullable(),
  next_action_url: z.url().nullable(),
  expires_at: instant.nullable(),
  failure_code: z.string().nullable(),
  settles_at: instant.nullable(),
  saved_method: z.string().nullable(),
});

export const refundAnswer = z.object({ id, reference, charge: id, status: z.enum(["processing", "succeeded", "failed"]), amount_cents: cents });

export const transferAnswer = z.object({
  id,
  reference,
  status: z.enum(["processing", "paid", "failed", "returned"]),
  amount_cents: cents,
  failure_code: z.string().nullable(),
});

export const disputeAnswer = z.object({
  id,
  charge: id,
  kind: z.enum(["card", "med"]),
  status: z.enum(["open", "won", "lost"]),
  amount_cents: cents,
});

export const chargeList = z.object({ data: z.array(chargeAnswer) });
export const transferList = z.object({ data: z.array(transferAnswer) });
export const errorAnswer = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

export const webhookBody = z.object({
  type: z.string(),
  data: z.object({ object: z.enum(["charge", "refund", "transfer", "dispute"]), id }),
});
