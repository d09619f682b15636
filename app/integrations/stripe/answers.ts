import { z } from "zod";

/**
 * Stripe's answers, as far as the product reads them (API version in client.server.ts). Anything
 * else is an unclear answer.
 */
const cents = z.int().min(0);
const seconds = z.int().positive();
const id = z.string().min(1).max(255);
const metadata = z.record(z.string(), z.string()).default({});
const failure = z.object({
  code: z.string().optional(),
  decline_code: z.string().optional(),
  payment_method: z.object({ id }).optional(),
});

/** Some objects arrive as their id unless they were expanded. */
const idOf = z.union([id, z.object({ id }).transform((whole) => whole.id)]);

/**
 * Three lower-case letters. Every booking is in reais; amounts of other currencies have no known
 * value here.
 */
const currency = z.string();
export const isInReais = (answer: { currency: string | null }): boolean =>
  answer.currency === "brl";

const balanceTransaction = z.object({ id, fee: z.int(), currency, available_on: seconds });

const latestCharge = z.object({
  id,
  amount_refunded: cents,
  balance_transaction: z.union([balanceTransaction, id]).nullish(),
});

export const paymentIntent = z.object({
  id,
  object: z.literal("payment_intent"),
  amount: cents,
  amount_received: cents,
  currency,
  status: z.string(),
  cancellation_reason: z.string().nullish(),
  customer: idOf.nullish(),
  payment_method: idOf.nullish(),
  payment_method_types: z.array(z.string()),
  latest_charge: z.union([latestCharge, id]).nullish(),
  last_payment_error: failure.nullish(),
  metadata,
  next_action: z
    .object({
      type: z.string(),
      redirect_to_url: z.object({ url: z.url() }).nullish(),
      pix_display_qr_code: z
        .object({ data: z.string().min(1), expires_at: seconds.nullish() })
        .nullish(),
    })
    .nullish(),
});
/** What we just created is in reais; any other answer is invalid. */
export const paymentIntentMade = paymentIntent.refine(isInReais);
export type PaymentIntentAnswer = z.infer<typeof paymentIntent>;

export const checkoutSession = z.object({
  id,
  object: z.literal("checkout.session"),
  status: z.enum(["open", "complete", "expired"]).nullable(),
  url: z.url().nullable(),
  amount_total: cents.nullable(),
  currency: currency.nullable(),
  metadata,
  expires_at: seconds,
  customer_creation: z.string().nullish(),
  payment_intent: z.union([paymentIntent, id]).nullish(),
});
export type CheckoutSessionAnswer = z.infer<typeof checkoutSession>;

export const checkoutSessionMade = checkoutSession.refine(isInReais);
/** A session with its line items, of which there is one. */
export const checkoutSessionWhole = checkoutSession.extend({
  line_items: z.object({ data: z.tuple([z.object({ description: z.string() })]) }),
});

export const setupIntent = z.object({
  id,
  object: z.literal("setup_intent"),
  status: z.string(),
  customer: idOf.nullish(),
  payment_method: idOf.nullish(),
  last_setup_error: failure.nullish(),
  next_action: z
    .object({ type: z.string(), redirect_to_url: z.object({ url: z.url() }).nullish() })
    .nullish(),
});

export const paymentMethod = z.object({
  id,
  object: z.literal("payment_method"),
  customer: idOf.nullish(),
  card: z.object({ brand: z.string(), last4: z.string() }).nullish(),
});

export const customer = z.object({ id, object: z.literal("customer") });

export const refund = z.object({
  id,
  object: z.literal("refund"),
  amount: cents,
  currency,
  status: z.string().nullable(),
  payment_intent: idOf.nullish(),
  balance_transaction: z.union([balanceTransaction, id]).nullish(),
  metadata: metadata.nullish(),
});
export const refundMade = refund.refine(isInReais);

export const dispute = z.object({
  id,
  object: z.literal("dispute"),
  amount: cents,
  currency,
  status: z.string(),
  payment_intent: idOf.nullish(),
  payment_method_details: z.object({ type: z.string() }).nullish(),
  balance_transactions: z.array(balanceTransaction).nullish(),
  evidence_details: z.object({ due_by: seconds.nullish() }).nullish(),
});

export const file = z.object({ id, object: z.literal("file") });

export const balance = z.object({
  object: z.literal("balance"),
  available: z.array(z.object({ amount: z.int(), currency })),
  pending: z.array(z.object({ amount: z.int(), currency })),
});

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), has_more: z.boolean() });

export const eventBody = z.object({
  id,
  type: z.string().max(100),
  data: z.object({
    object: z.object({ id: id.optional(), object: z.string(), payment_intent: idOf.nullish() }),
  }),
});
