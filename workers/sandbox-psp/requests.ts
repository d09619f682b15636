import { z } from "zod";
import { pixKeyKinds } from "#app/domain/payments/schema.ts";

const amount = z.int().positive().max(100_000_000);
const reference = z.string().min(1).max(64);

export const chargeRequest = z.object({
  reference,
  method: z.enum(["pix", "card"]),
  amount_cents: amount,
  description: z.string().max(200),
  payer_name: z.string().max(200),
  expires_at: z.int().positive().nullish(),
  card_token: z.string().max(80).nullish(),
  saved_method: z.string().max(80).nullish(),
  save_card: z.boolean().default(false),
  return_url: z.url().max(500).nullish(),
});
export type ChargeRequestBody = z.infer<typeof chargeRequest>;

export const refundRequest = z.object({ reference, charge: z.string().max(80), amount_cents: amount });

export const transferRequest = z.object({
  reference,
  amount_cents: amount,
  pix_key_kind: z.enum(pixKeyKinds),
  pix_key: z.string().min(1).max(77),
});

export const tokenRequest = z.object({
  number: z.string().max(40),
  expiry: z.string().max(10),
  cvv: z.string().max(6),
  holder: z.string().max(80),
});
