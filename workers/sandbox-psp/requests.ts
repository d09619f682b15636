import { z } from "zod";
import { accountKinds, pixKeyKinds, pixMandateIntervals } from "#app/domain/payments/schema.ts";

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
  /** Whether the owner of a saved card is present, so that their bank can ask them to confirm. */
  payer_there: z.boolean().default(false),
  return_url: z.url().max(500).nullish(),
  recurring_pix: z.string().max(80).nullish(),
  due_on: z.iso.date().nullish(),
});
export type ChargeRequestBody = z.infer<typeof chargeRequest>;

export const savedMethodRequest = z.object({
  reference,
  card_token: z.string().max(80),
  return_url: z.url().max(500),
});

export const recurringPixRequest = z.object({
  reference,
  interval: z.enum(pixMandateIntervals),
  amount_cents: amount.nullable(),
  least_cents: z.int().min(0).max(100_000_000),
  starts_on: z.iso.date(),
  ends_on: z.iso.date().nullable(),
  description: z.string().max(200),
  payer_name: z.string().max(200),
  expires_at: z.int().positive(),
  first_charge: z.object({ reference, amount_cents: amount }),
});
export type RecurringPixRequestBody = z.infer<typeof recurringPixRequest>;

export const retryRequest = z.object({ due_on: z.iso.date() });

export const confirmRequest = z.object({ return_url: z.url().max(500) });

export const refundRequest = z.object({
  reference,
  charge: z.string().max(80),
  amount_cents: amount,
});

const sandboxEvidenceKinds = ["receipt", "conversation", "access", "policy", "other"] as const;

export const evidenceRequest = z.object({
  text: z.string().max(20_000),
  product: z.string().max(2_000),
  customer_name: z.string().max(200),
  customer_email: z.string().max(320).nullable(),
  bought_at: z.int().positive(),
  access_log: z.string().max(5_000),
  files: z
    .array(z.object({ kind: z.enum(sandboxEvidenceKinds), file: z.string().max(80) }))
    .max(sandboxEvidenceKinds.length),
});

const toPixKey = z.object({
  pix_key_kind: z.enum(pixKeyKinds),
  pix_key: z.string().min(1).max(77),
});

const digits = (most: number) => z.string().regex(/^\d+$/).max(most);

const toBankAccount = z.object({
  bank_account: z.object({
    bank_code: z.string().regex(/^\d{3}$/),
    branch: digits(5),
    account: digits(20),
    account_digit: z.string().regex(/^[0-9XP]$/),
    kind: z.enum(accountKinds),
    owner_name: z.string().min(2).max(200),
    owner_tax_id: z.string().regex(/^(\d{11}|[0-9A-Z]{12}\d{2})$/),
  }),
});

export const transferRequest = z
  .object({ reference, amount_cents: amount })
  .and(z.union([toPixKey, toBankAccount]));

export const keyLookupRequest = z.object({
  kind: z.enum(pixKeyKinds),
  key: z.string().min(1).max(77),
  expected_owner: z.object({ name: z.string().max(200), tax_id: z.string().max(14) }),
});

export const tokenRequest = z.object({
  number: z.string().max(40),
  expiry: z.string().max(10),
  cvv: z.string().max(6),
  holder: z.string().max(80),
});
