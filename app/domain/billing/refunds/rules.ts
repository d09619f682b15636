import { chargeRefunded } from "#app/domain/ledger/rules.ts";
import type { RefundRecourse } from "#app/domain/ledger/rules/legs.ts";
import type { LedgerAccountKind } from "#app/domain/ledger/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { feeShareOfRefund, isRefundable, remainingCents } from "#app/domain/payments/rules.ts";
import type { ChargeAmounts, ChargeStatus } from "#app/domain/payments/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { RefundProblem } from "#app/domain/billing/errors.ts";
import type { Instant } from "#app/domain/time.ts";

/** How many refunds one payment may have. */
export const REFUNDS_LIMIT = 20;

export type Refundable = {
  status: ChargeStatus;
  method: PaymentMethod;
  amountCents: Cents;
  refundedCents: Cents;
  disputedCents: Cents;
  succeededAt: Instant | null;
};

/**
 * Returns why `amountCents` of a payment cannot be refunded, or null. A null amount asks whether
 * anything can be.
 */
export function refundProblem(
  charge: Refundable,
  refunds: readonly { status: "requested" | "succeeded" | "failed" }[],
  { amountCents }: { amountCents: Cents | null },
): RefundProblem | null {
  if (charge.succeededAt === null) return "unpaid";
  if (charge.status === "refunded") return "all_back";
  if (!isRefundable(charge.status)) return "disputed";
  if (refunds.some((refund) => refund.status === "requested")) return "waiting";
  if (refunds.length >= REFUNDS_LIMIT) return "too_many";
  return amountCents !== null && amountCents > remainingCents(charge) ? "too_much" : null;
}

/**
 * What a refund does, before it is decided (centavos). `feeCents` is what the platform refunds. The
 * rest says where the seller's part is taken from.
 */
export type RefundPreview = {
  amountCents: Cents;
  feeCents: Cents;
  pendingCents: Cents;
  availableCents: Cents;
  owedCents: Cents;
  isWhole: boolean;
};

/**
 * Computes the preview of a refund from the posting that it would make. Source: domain rules, "Fee"
 * and "Ledger".
 */
export function previewRefund(
  charge: ChargeAmounts,
  amountCents: Cents,
  recourse: RefundRecourse,
): RefundPreview {
  const feeShareCents = feeShareOfRefund(charge, amountCents);
  const { legs } = chargeRefunded({
    chargeId: "",
    creatorId: "",
    provider: "",
    refundId: "",
    amountCents,
    feeShareCents,
    recourse,
  });
  const debited = (kind: LedgerAccountKind): Cents =>
    legs.find((leg) => leg.account.kind === kind)?.debitCents ?? 0;
  return {
    amountCents,
    feeCents: debited("platform_fees"),
    pendingCents: debited("creator_pending"),
    availableCents: debited("creator_available"),
    owedCents: debited("creator_owed"),
    isWhole: amountCents === remainingCents(charge),
  };
}
