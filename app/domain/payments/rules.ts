import { shareRoundedHalfUp } from "#app/domain/money.ts";
import type { BasisPoints, Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { ProviderCharge, ProviderDispute } from "./schema.ts";

export const chargeStatuses = [
  "created",
  "awaiting_payment",
  "requires_action",
  "processing",
  "succeeded",
  "failed",
  "expired",
  "canceled",
  "partially_refunded",
  "refunded",
  "disputed",
  "dispute_won",
  "dispute_lost",
] as const;
export type ChargeStatus = (typeof chargeStatuses)[number];

/**
 * Splits a sale into the platform's fee and the creator's net (centavos). The two always add up to
 * `amountCents`. Source: domain rules, "Fee".
 */
export function splitFee(
  amountCents: Cents,
  basisPoints: BasisPoints,
): { feeCents: Cents; netCents: Cents } {
  const feeCents = shareRoundedHalfUp(amountCents, basisPoints);
  return { feeCents, netCents: amountCents - feeCents };
}

/**
 * Returns the charge with the amount that the provider captured, where it differs from ours. This
 * amount is booked, and it limits refunds. Source: domain rules, "Fee".
 */
export function withCapturedAmount<
  Priced extends {
    amountCents: Cents;
    feeBasisPoints: BasisPoints;
    feeCents: Cents;
    netCents: Cents;
    periodsCents: Cents[] | null;
  },
>(charge: Priced, takenCents: Cents): Priced {
  return takenCents === charge.amountCents || takenCents <= 0
    ? charge
    : {
        ...charge,
        amountCents: takenCents,
        ...splitFee(takenCents, charge.feeBasisPoints),
        periodsCents: null,
      };
}

const WAITING: readonly ChargeStatus[] = [
  "created",
  "awaiting_payment",
  "requires_action",
  "processing",
];
const ENDED_UNPAID: readonly ChargeStatus[] = ["failed", "expired", "canceled"];

/**
 * Lists the statuses from which a charge may become `next`. Late money counts from any unpaid
 * status. A late `failed` or `expired` never undoes a `succeeded`. Source: domain rules,
 * "Charges".
 */
export function statusesBefore(next: ProviderCharge["status"]): readonly ChargeStatus[] {
  if (next === "succeeded") return [...WAITING, ...ENDED_UNPAID];
  if (next === "failed" || next === "expired" || next === "canceled") return WAITING;
  return WAITING;
}

/** Failure code of a charge that ended without ever reaching the provider. */
export const NEVER_REACHED_PROVIDER = "never_reached";

export type ChargeStep =
  | { kind: "nothing" }
  | { kind: "paid"; providerCharge: ProviderCharge }
  | {
      kind: "progress";
      status: ProviderCharge["status"];
      failureCode: string | null;
      isOver: boolean;
    };

/**
 * Decides what the provider's answer means for a charge at `now`, whatever the charge pays for. A
 * null answer means that the provider does not know the charge. `isOver`: it ended unpaid. Source:
 * domain rules, "Charges".
 */
export function chargeStep(
  charge: { status: ChargeStatus; expiresAt: Instant | null },
  providerCharge: ProviderCharge | null,
  now: Instant,
): ChargeStep {
  if (!providerCharge) {
    const isOver =
      isAwaitingPayment(charge.status) && charge.expiresAt !== null && charge.expiresAt <= now;
    return isOver
      ? { kind: "progress", status: "expired", failureCode: NEVER_REACHED_PROVIDER, isOver }
      : { kind: "nothing" };
  }
  if (!statusesBefore(providerCharge.status).includes(charge.status)) return { kind: "nothing" };
  if (providerCharge.status === "succeeded") return { kind: "paid", providerCharge };
  return {
    kind: "progress",
    status: providerCharge.status,
    failureCode: providerCharge.failureCode,
    isOver:
      providerCharge.status === "failed" ||
      providerCharge.status === "expired" ||
      providerCharge.status === "canceled",
  };
}

/** Reports whether the card scheme or the Pix rules have decided the dispute. No more money moves. */
export const isDisputeLoss = (status: ProviderDispute["status"]): status is "won" | "lost" =>
  status === "won" || status === "lost";

/** Topic of live updates for a page that waits for a charge. */
export const chargeTopic = (chargeId: string): string => `charge:${chargeId}`;

export const isAwaitingPayment = (status: ChargeStatus): boolean => WAITING.includes(status);
export const isUnpaid = (status: ChargeStatus): boolean =>
  isAwaitingPayment(status) || ENDED_UNPAID.includes(status);
/** Reports whether a charge can be refunded: paid, not refunded in full and not disputed. */
export const isRefundable = (status: ChargeStatus): boolean =>
  status === "succeeded" || status === "partially_refunded" || status === "dispute_won";
/** Reports whether parts of the charge may leave pending. Disputed parts do not. */
export const isReleasable = (status: ChargeStatus): boolean =>
  isRefundable(status) || status === "disputed";

/**
 * Amounts of a paid charge (centavos): captured, refunded, and disputed or lost in a dispute, each
 * with the platform's share.
 */
export type ChargeAmounts = {
  amountCents: Cents;
  feeCents: Cents;
  refundedCents: Cents;
  refundedFeeCents: Cents;
  disputedCents: Cents;
  disputedFeeCents: Cents;
};

/**
 * Returns what remains of a paid charge (centavos): not refunded, not disputed and not lost in a
 * dispute.
 */
export const remainingCents = ({
  amountCents,
  refundedCents,
  disputedCents,
}: Pick<ChargeAmounts, "amountCents" | "refundedCents" | "disputedCents">): Cents =>
  amountCents - refundedCents - disputedCents;

/**
 * Returns the platform's share of a refund, or of a dispute, of `amountCents` (centavos). Parts
 * always add up to the whole: shares already refunded or disputed are deducted from the share of
 * the running total. Source: domain rules, "Fee".
 */
export function feeShareOfRefund(charge: ChargeAmounts, amountCents: Cents): Cents {
  const totalCents = charge.refundedCents + charge.disputedCents + amountCents;
  if (amountCents <= 0 || totalCents > charge.amountCents)
    throw new Error("refund above what was charged");
  const numerator = 2n * BigInt(totalCents) * BigInt(charge.feeCents) + BigInt(charge.amountCents);
  const shareOfTotalCents = Number(numerator / (2n * BigInt(charge.amountCents)));
  return shareOfTotalCents - charge.refundedFeeCents - charge.disputedFeeCents;
}

/**
 * How a person wants to pay at a second checkout. `amountCents` is null when that is for another
 * item.
 */
export type CheckoutIntent = {
  method: PaymentMethod;
  amountCents: Cents | null;
  hasCardToken: boolean;
};

export type OpenCharge = {
  status: ChargeStatus;
  method: PaymentMethod;
  amountCents: Cents;
  expiresAt: Instant | null;
};

/** A checkout that may still be paid. */
export type OpenCheckoutCharge = OpenCharge & { chargeId: string; nextActionUrl: string | null };

/**
 * Decides what a second checkout of the same thing does with the open one. `join` keeps one charge
 * for two tabs. `let_go` abandons it for another method, card, price or plan. A charge that the
 * bank is still answering is always joined, so that nothing is paid twice.
 */
export function resolveOpenCheckout(
  open: OpenCharge,
  wish: CheckoutIntent,
  now: Instant,
): "join" | "let_go" {
  if (isAnswering(open)) return "join";
  const isSame =
    open.method === wish.method &&
    open.amountCents === wish.amountCents &&
    canStillBePaid(open, now);
  return isSame && !wish.hasCardToken ? "join" : "let_go";
}

/** Reports whether an open checkout has not expired, or the bank is still answering it. */
export const canStillBePaid = (open: OpenCharge, now: Instant): boolean =>
  isAnswering(open) || open.expiresAt === null || open.expiresAt > now;

const isAnswering = ({ status }: OpenCharge): boolean =>
  status === "created" || status === "processing";
