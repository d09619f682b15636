import type { Form } from "./form.ts";

type Failure = { code: string; decline_code?: string };
export type Card = { does: "approves" | "declines" | "asks"; last4: string };

export type Intent = {
  id: string;
  created: number;
  amount: number;
  isPix: boolean;
  status: string;
  cancellationReason: string | null;
  expiresAt: number | null;
  customer: string | null;
  method: string | null;
  keeps: boolean;
  isOffSession: boolean;
  returnUrl: string | null;
  metadata: Record<string, string>;
  failure: Failure | null;
};
export type Setup = {
  id: string;
  status: string;
  customer: string | null;
  method: string | null;
  failure: Failure | null;
};
export type Method = { id: string; customer: string | null; card: Card };
export type Refund = {
  id: string;
  object: "refund";
  created: number;
  amount: number;
  currency: "brl";
  status: string;
  payment_intent: string;
  metadata: Record<string, string>;
};
export type Dispute = {
  id: string;
  object: "dispute";
  created: number;
  amount: number;
  currency: "brl";
  status: string;
  payment_intent: string;
  payment_method_details: { type: string };
  balance_transactions: { id: string; fee: number; currency: "brl"; available_on: number }[];
  evidence: Record<string, string>;
  evidence_details: { due_by: number | null; has_evidence: boolean; submission_count: number };
};
export type File = { id: string; object: "file"; purpose: string; size: number };
export type Session = {
  id: string;
  object: "checkout.session";
  status: "open" | "complete" | "expired";
  url: string | null;
  amount_total: number;
  currency: "brl";
  expires_at: number;
  metadata: Record<string, string>;
  /** Created when the first card is tried on its page. */
  payment_intent: Intent | null;
  customer_creation: string;
  line_items: { data: { description: string }[] };
  /** Whether the card is saved for later payments. */
  keeps: boolean;
};

/** Stripe's own names for its test cards. */
const CARDS: Record<string, Card> = {
  pm_card_visa: { does: "approves", last4: "4242" },
  pm_card_visa_chargeDeclined: { does: "declines", last4: "0002" },
  pm_card_authenticationRequired: { does: "asks", last4: "3184" },
  ctoken_visa: { does: "approves", last4: "4242" },
};

export const cardOf = (token: string): Card | null => CARDS[token] ?? null;

/** A PaymentIntent with its latest charge and balance transaction expanded, as we request it. */
export function intentAnswer(intent: Intent, refundedCents: number, pages: string) {
  const isPaid = intent.status === "succeeded";
  return {
    id: intent.id,
    object: "payment_intent",
    amount: intent.amount,
    amount_received: isPaid ? intent.amount : 0,
    currency: "brl",
    created: intent.created,
    status: intent.status,
    cancellation_reason: intent.cancellationReason,
    customer: intent.customer,
    payment_method:
      intent.status === "requires_payment_method" ? null : (intent.method ?? "pm_pix"),
    payment_method_types: [intent.isPix ? "pix" : "card"],
    allowed_payment_method_types: [intent.isPix ? "pix" : "card"],
    latest_charge: isPaid ? chargeAnswer(intent, refundedCents) : null,
    last_payment_error: intent.failure
      ? {
          type: "card_error",
          ...intent.failure,
          payment_method: { id: intent.method ?? "pm_pix", object: "payment_method" },
        }
      : null,
    metadata: intent.metadata,
    next_action: intent.status === "requires_action" ? nextAction(intent, pages) : null,
    livemode: false,
  };
}

function chargeAnswer(intent: Intent, refundedCents: number) {
  const feeCents = Math.round(intent.amount * 0.0119);
  return {
    id: intent.id.replace("pi_", "ch_"),
    object: "charge",
    amount: intent.amount,
    currency: "brl",
    amount_refunded: refundedCents,
    balance_transaction: {
      id: intent.id.replace("pi_", "txn_"),
      object: "balance_transaction",
      amount: intent.amount,
      fee: feeCents,
      currency: "brl",
      available_on: intent.created + 86_400,
    },
  };
}

function nextAction(intent: Intent, pages: string) {
  if (!intent.isPix)
    return {
      type: "redirect_to_url",
      redirect_to_url: { url: `${pages}/answer?of=${intent.id}`, return_url: intent.returnUrl },
    };
  return {
    type: "pix_display_qr_code",
    pix_display_qr_code: {
      data: `00020101021226850014br.gov.bcb.pix2563pix.stripe.test/qr/${intent.id}6304ABCD`,
      expires_at: intent.expiresAt,
      hosted_instructions_url: `${pages}/pix?of=${intent.id}`,
      image_url_png: `${pages}/pix.png`,
      image_url_svg: `${pages}/pix.svg`,
    },
  };
}

/** A page of a list: `limit` and `starting_after`, newest first. */
export function listAnswer<Item extends { id: string }>(items: Item[], query: Form) {
  const limit = Math.min(Number(query.get("limit") ?? 10), PAGE_LIMIT);
  const after = query.get("starting_after");
  const start = after ? items.findIndex(({ id }) => id === after) + 1 : 0;
  return {
    object: "list",
    data: items.slice(start, start + limit),
    has_more: items.length > start + limit,
  };
}

/** Smaller than Stripe's limit of 100, so that a few objects fill several pages. */
const PAGE_LIMIT = 3;
