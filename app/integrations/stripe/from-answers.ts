import type { z } from "zod";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import type {
  ProviderCharge,
  ProviderDispute,
  ProviderRefund,
} from "#app/domain/payments/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { isInReais } from "./answers.ts";
import type { CheckoutSessionAnswer, dispute, PaymentIntentAnswer, refund } from "./answers.ts";

/** The metadata keys of our ids in Stripe's objects. */
export const CHARGE_KEY = "coreto_charge";
export const REFUND_KEY = "coreto_refund";
/** The metadata key of a charge's own expiry (seconds), if its page expires earlier. */
export const UNTIL_KEY = "coreto_until";

/** The code of a Pix that nobody paid in time. Source: Stripe's "Error codes". */
const PIX_EXPIRED_CODES = new Set(["payment_intent_payment_attempt_expired"]);

/** Refuses another currency, which is never booked: its event is quarantined for staff. */
function refuseForeign(answer: { currency: string | null }): void {
  if (!isInReais(answer)) throw new ProviderRefused("foreign_currency");
}

/** In centavos; null while unknown, or in another currency. */
const feeOf = (transaction: { fee: number; currency: string } | null | undefined): number | null =>
  transaction && isInReais(transaction) ? transaction.fee : null;

export function toCharge(intent: PaymentIntentAnswer): ProviderCharge {
  refuseForeign(intent);
  const status = statusOf(intent);
  const charge = typeof intent.latest_charge === "object" ? intent.latest_charge : null;
  const settled =
    typeof charge?.balance_transaction === "object" ? charge.balance_transaction : null;
  const pix = intent.next_action?.pix_display_qr_code;
  const failure = status === "failed" ? intent.last_payment_error : null;
  return {
    id: intent.id,
    reference: intent.metadata[CHARGE_KEY] ?? null,
    status,
    amountCents: status === "succeeded" ? intent.amount_received : intent.amount,
    refundedCents: charge?.amount_refunded ?? 0,
    pixCode: status === "awaiting_payment" ? (pix?.data ?? null) : null,
    nextActionUrl:
      status === "requires_action" ? (intent.next_action?.redirect_to_url?.url ?? null) : null,
    expiresAt: pix?.expires_at ? pix.expires_at * 1_000 : null,
    failureCode:
      status === "failed" ? (failure?.decline_code ?? failure?.code ?? "payment_failed") : null,
    settlesAt: settled ? settled.available_on * 1_000 : null,
    savedMethodId:
      status === "succeeded" && intent.customer && intent.payment_method
        ? savedId(intent.customer, intent.payment_method)
        : null,
    costCents: feeOf(settled),
    recurringPixId: null,
  };
}

function statusOf(intent: PaymentIntentAnswer): ProviderCharge["status"] {
  const isPix = intent.payment_method_types.includes("pix");
  switch (intent.status) {
    case "succeeded":
      return "succeeded";
    case "canceled":
      return intent.cancellation_reason === "expired" ? "expired" : "canceled";
    case "requires_action":
      return isPix ? "awaiting_payment" : "requires_action";
    case "requires_confirmation":
      return "requires_action";
    case "requires_payment_method":
      return endOf(isPix, intent.last_payment_error?.code);
    default:
      return "processing";
  }
}

/**
 * The status of an attempt that ended unpaid. A saved card whose bank requires its owner stays
 * open: they can still confirm.
 */
function endOf(isPix: boolean, code: string | undefined): ProviderCharge["status"] {
  if (isPix) return code && !PIX_EXPIRED_CODES.has(code) ? "failed" : "expired";
  return code === "authentication_required" ? "requires_action" : "failed";
}

/**
 * Whether a session's page expired before its charge. A payer who returns gets another one
 * (`pageConfirmed`).
 */
export const isPageOver = (session: CheckoutSessionAnswer, now: Instant): boolean =>
  session.status === "expired" &&
  session.expires_at * 1_000 <= now &&
  Number(session.metadata[UNTIL_KEY] ?? 0) * 1_000 > now;

/**
 * A session with an open page can be paid, whatever an attempt's result; so can a charge that
 * outlives its page.
 */
export function toHostedCharge(session: CheckoutSessionAnswer, now: Instant): ProviderCharge {
  const waits = session.status === "open" || isPageOver(session, now);
  if (!waits && typeof session.payment_intent === "object" && session.payment_intent !== null)
    return toCharge(session.payment_intent);
  refuseForeign(session);
  return {
    id: session.id,
    reference: session.metadata[CHARGE_KEY] ?? null,
    status: waits ? "requires_action" : session.status === "complete" ? "processing" : "expired",
    amountCents: session.amount_total ?? 0,
    refundedCents: 0,
    pixCode: null,
    nextActionUrl: session.status === "open" ? session.url : null,
    // Our own expiry applies.
    expiresAt: null,
    failureCode: null,
    settlesAt: null,
    savedMethodId: null,
    costCents: null,
    recurringPixId: null,
  };
}

/** The id of a saved card: it can only be charged with the customer that it is attached to. */
const savedId = (customer: string, paymentMethod: string) => `${customer}/${paymentMethod}`;

export function toRefund(answer: z.infer<typeof refund>): ProviderRefund {
  refuseForeign(answer);
  const isOver = answer.status === "succeeded" || answer.status === "failed";
  return {
    id: answer.id,
    reference: answer.metadata?.[REFUND_KEY] ?? null,
    chargeId: answer.payment_intent ?? "",
    status:
      answer.status === "canceled"
        ? "failed"
        : isOver
          ? answer.status === "succeeded"
            ? "succeeded"
            : "failed"
          : "processing",
    amountCents: answer.amount,
    costCents:
      typeof answer.balance_transaction === "object" ? feeOf(answer.balance_transaction) : null,
  };
}

const UNDER_REVIEW = new Set(["under_review", "warning_under_review"]);
/** A closed inquiry took no money, and a prevented dispute neither: both count as won. */
const WON = new Set(["won", "warning_closed", "prevented"]);

export function toDispute(answer: z.infer<typeof dispute>): ProviderDispute {
  refuseForeign(answer);
  return {
    id: answer.id,
    chargeId: answer.payment_intent ?? "",
    kind: answer.payment_method_details?.type === "pix" ? "med" : "card",
    status: WON.has(answer.status)
      ? "won"
      : answer.status === "lost"
        ? "lost"
        : UNDER_REVIEW.has(answer.status)
          ? "under_review"
          : "needs_response",
    amountCents: answer.amount,
    respondBy: answer.evidence_details?.due_by ? answer.evidence_details.due_by * 1_000 : null,
    // Charged when a dispute opens; an inquiry or a prevented dispute costs nothing.
    costCents: feeOf(answer.balance_transactions?.[0]),
  };
}
