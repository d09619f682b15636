import { shareRoundedHalfUp } from "#app/domain/money.ts";
import type { BasisPoints, Cents } from "#app/domain/money.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import { acquirerFor } from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentMethod, PaymentProviders, ProviderCharge, ProviderDispute } from "./schema.ts";

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

/** Whether `method` may be offered: who takes it has it, and Pix was not switched off. */
export function isMethodOffered(
  method: PaymentMethod,
  { payments, settings }: { payments: PaymentProviders; settings: { pixEnabled: boolean } },
): boolean {
  return (
    acquirerFor(payments, method).can.has(method) && paymentMethods[method].isEnabled(settings)
  );
}

/** The first Pix of a contract waits out the right of regret; a renewal the next day. */
export const FIRST_SALE_HOLD_MS = 8 * DAY_MS;
export const RENEWAL_HOLD_MS = DAY_MS;

/**
 * The platform's fee of a sale and what its creator gets; they always add to `amountCents` exactly.
 * Source: domain rules, "Fee".
 */
export function splitFee(
  amountCents: Cents,
  basisPoints: BasisPoints,
): { feeCents: Cents; netCents: Cents } {
  const feeCents = shareRoundedHalfUp(amountCents, basisPoints);
  return { feeCents, netCents: amountCents - feeCents };
}

/**
 * A charge for which another amount was taken, as what was really taken: that is what is booked,
 * and what goes back. Source: domain rules, "Fee".
 */
export function withCapturedAmount<
  Known extends {
    amountCents: Cents;
    feeBasisPoints: BasisPoints;
    feeCents: Cents;
    netCents: Cents;
    periodsCents: Cents[] | null;
  },
>(charge: Known, takenCents: Cents): Known {
  return takenCents === charge.amountCents || takenCents <= 0
    ? charge
    : {
        ...charge,
        amountCents: takenCents,
        ...splitFee(takenCents, charge.feeBasisPoints),
        periodsCents: null,
      };
}

/**
 * When a charge's net leaves pending: the later of the provider's settlement and the hold. Source:
 * domain rules, "Ledger", row "released".
 */
export function releaseAt(sale: {
  method: PaymentMethod;
  isRenewal: boolean;
  succeededAt: Instant;
  settlesAt: Instant | null;
}): Instant {
  const holdUntil = sale.succeededAt + (sale.isRenewal ? RENEWAL_HOLD_MS : FIRST_SALE_HOLD_MS);
  const settlesAt =
    sale.settlesAt ?? sale.succeededAt + paymentMethods[sale.method].settlementDays * DAY_MS;
  return Math.max(holdUntil, settlesAt);
}

const WAITING: readonly ChargeStatus[] = [
  "created",
  "awaiting_payment",
  "requires_action",
  "processing",
];
const ENDED_UNPAID: readonly ChargeStatus[] = ["failed", "expired", "canceled"];

/**
 * From which states a charge may become `next`. Money that arrives late counts from any unpaid
 * state; a late `failed` or `expired` never undoes a `succeeded`. Source: domain rules, "Charges".
 */
export function statusesBefore(next: ProviderCharge["status"]): readonly ChargeStatus[] {
  if (next === "succeeded") return [...WAITING, ...ENDED_UNPAID];
  if (next === "failed" || next === "expired" || next === "canceled") return WAITING;
  return WAITING;
}

/** Why a charge ended of which the provider never heard. */
export const NEVER_REACHED_PROVIDER = "never_reached";

export type ChargeStep =
  | { kind: "nothing" }
  | { kind: "paid"; said: ProviderCharge }
  | {
      kind: "progress";
      status: ProviderCharge["status"];
      failureCode: string | null;
      isOver: boolean;
    };

/**
 * What the provider's answer (null: it never heard of the charge) asks of a charge at `now`,
 * whatever it pays for. `isOver`: it ended unpaid. Source: domain rules, "Charges".
 */
export function chargeStep(
  charge: { status: ChargeStatus; expiresAt: Instant | null },
  said: ProviderCharge | null,
  now: Instant,
): ChargeStep {
  if (!said) {
    const isOver =
      isAwaitingPayment(charge.status) && charge.expiresAt !== null && charge.expiresAt <= now;
    return isOver
      ? { kind: "progress", status: "expired", failureCode: NEVER_REACHED_PROVIDER, isOver }
      : { kind: "nothing" };
  }
  if (!statusesBefore(said.status).includes(charge.status)) return { kind: "nothing" };
  if (said.status === "succeeded") return { kind: "paid", said };
  return {
    kind: "progress",
    status: said.status,
    failureCode: said.failureCode,
    isOver: said.status === "failed" || said.status === "expired" || said.status === "canceled",
  };
}

/** Decided by the card scheme or by the Pix's rules: nothing more is taken or given. */
export const isDisputeLoss = (status: ProviderDispute["status"]): status is "won" | "lost" =>
  status === "won" || status === "lost";

/** What a page that waits for a charge listens to. */
export const chargeTopic = (chargeId: string): string => `charge:${chargeId}`;

export const isAwaitingPayment = (status: ChargeStatus): boolean => WAITING.includes(status);
export const isUnpaid = (status: ChargeStatus): boolean =>
  isAwaitingPayment(status) || ENDED_UNPAID.includes(status);
/** Paid, and the money was not given back in full nor is being fought over. */
export const isRefundable = (status: ChargeStatus): boolean =>
  status === "succeeded" || status === "partially_refunded" || status === "dispute_won";
/** Its parts may leave pending, but for what a bank fights over of them. */
export const isReleasable = (status: ChargeStatus): boolean =>
  isRefundable(status) || status === "disputed";

/**
 * What a paid charge brought, and what of it went back, is fought over or was lost (centavos), with
 * the platform's shares.
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
 * What is left of a paid charge (centavos): it did not go back, nor does a bank fight over it, nor
 * did one take it.
 */
export const remainingCents = ({
  amountCents,
  refundedCents,
  disputedCents,
}: Pick<ChargeAmounts, "amountCents" | "refundedCents" | "disputedCents">): Cents =>
  amountCents - refundedCents - disputedCents;

/**
 * The platform's share of giving back `amountCents` of a charge, or of a dispute over as much.
 * Parts always add to the whole: what was already given back, or is fought over, is subtracted from
 * the share of the running total. Source: domain rules, "Fee".
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
 * How somebody wants to pay at a second checkout; `amountCents` is null where it is for something
 * else.
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
 * What a second checkout of the same thing does with the one that is still open: `join` it, so that
 * two tabs make one charge, or `let_go` of it for another method, another card, another price or
 * another plan. What the bank is still answering about is never paid beside.
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

/** Whether an open checkout is still in time, or the bank still answers about it. */
export const canStillBePaid = (open: OpenCharge, now: Instant): boolean =>
  isAnswering(open) || open.expiresAt === null || open.expiresAt > now;

const isAnswering = ({ status }: OpenCharge): boolean =>
  status === "created" || status === "processing";
