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

/** Our ids, in the metadata of Stripe's objects. */
export const CHARGE_KEY = "coreto_charge";
export const REFUND_KEY = "coreto_refund";
/** Until when (seconds) a charge may be paid whose page ends before it. */
export const UNTIL_KEY = "coreto_until";

/** The code of a Pix that nobody paid in time. Source: Stripe's "Error codes". */
const PIX_EXPIRED_CODES = new Set(["payment_intent_payment_attempt_expired"]);

/** Nothing of another currency is booked: a delivery about it is set aside for a human. */
function refuseForeign(said: { currency: string | null }): void {
  if (!isInReais(said)) throw new ProviderRefused("foreign_currency");
}

/** In centavos; null while it is not known, or is taken in another currency. */
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
 * An attempt that ended without money. A saved card whose bank wants its owner there is not over:
 * they may still confirm.
 */
function endOf(isPix: boolean, code: string | undefined): ProviderCharge["status"] {
  if (isPix) return code && !PIX_EXPIRED_CODES.has(code) ? "failed" : "expired";
  return code === "authentication_required" ? "requires_action" : "failed";
}

/**
 * Whether the page of a session ran out before the charge that it was for: another is made for
 * whoever comes back (`pageConfirmed`).
 */
export const isPageOver = (session: CheckoutSessionAnswer, now: Instant): boolean =>
  session.status === "expired" &&
  session.expires_at * 1_000 <= now &&
  Number(session.metadata[UNTIL_KEY] ?? 0) * 1_000 > now;

/**
 * A session whose page is still open can be paid, whatever an attempt at it came to; so can what
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
    // Ours counts.
    expiresAt: null,
    failureCode: null,
    settlesAt: null,
    savedMethodId: null,
    costCents: null,
    recurringPixId: null,
  };
}

/** A card can only be charged together with the customer that it is attached to. */
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
/** An inquiry that was closed took no money, and neither did what was prevented: both are won. */
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
    // Taken as it opens; an inquiry, and what was prevented, took nothing.
    costCents: feeOf(answer.balance_transactions?.[0]),
  };
}
