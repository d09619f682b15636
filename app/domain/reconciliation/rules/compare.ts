import type { Cents } from "#app/domain/money.ts";
import { isUnpaid, isAwaitingPayment } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type {
  ProviderCharge,
  ProviderDispute,
  ProviderPixMandate,
  ProviderRefund,
  ProviderTransfer,
} from "#app/domain/payments/schema.ts";
import type { PayoutStatus } from "#app/domain/payouts/schema.ts";
import type { Difference, DifferenceKind } from "#app/domain/reconciliation/schema.ts";
import type { PixMandate } from "#app/domain/subscriptions/pix-mandates/schema.ts";

export type OurCharge = {
  status: ChargeStatus;
  amountCents: Cents;
  /** What was refunded by the charge's provider. A refund by Pix of ours is a transfer. */
  refundedCents: Cents;
  /** Refunds that we requested and that are unconfirmed. */
  waitingCents: Cents;
  /** The provider's cost, as we booked it; null before the provider reports it. */
  costCents?: Cents | null;
  /** The bank debits it automatically, and may be asked again after a refusal. */
  isDebited: boolean;
};
type WithProviderCost = { costCents?: Cents | null };
export type OurRefund = WithProviderCost & {
  status: "requested" | "succeeded" | "failed";
  amountCents: Cents;
};
export type OurTransfer = WithProviderCost & { status: PayoutStatus; amountCents: Cents };
export type OurMandate = Pick<PixMandate, "status" | "amountCents">;
export type OurDispute = WithProviderCost & { status: "open" | "won" | "lost"; amountCents: Cents };

const found = (kind: DifferenceKind, gapCents: Cents, isMoney = true): Difference => ({
  kind,
  isMoney,
  gapCents,
});

/** The cost of an object, at the provider or in our books: zero or more, or nothing. */
type ReportedCosts = { costCents?: Cents | null | undefined };

/**
 * Whether the provider reports a cost of which nothing is booked yet. It is then booked, and is no
 * difference.
 */
export const isUnbookedCost = (ours: ReportedCosts | null, theirs: ReportedCosts): boolean =>
  ours !== null && ours.costCents === null && typeof theirs.costCents === "number";

/**
 * Compares the costs. A cost other than the booked one is for people to explain. It is the
 * platform's own, and nobody else's money. Source: domain rules, "Fee";
 * docs/decisions/money/reconcile-every-night-through-the-payment-commands.md.
 */
function costDifference(ours: ReportedCosts, theirs: ReportedCosts): Difference | null {
  if (
    typeof ours.costCents !== "number" ||
    typeof theirs.costCents !== "number" ||
    ours.costCents === theirs.costCents
  )
    return null;
  return found("amount", theirs.costCents - ours.costCents, false);
}

/**
 * Decides how a charge differs, or null. `theirs` is null where the provider, asked by id, has no
 * such charge; `ours` where we have no row.
 *
 * Money that one side holds and the other does not know of is always a difference. An unpaid charge
 * is one in two cases only: we still wait for a payment that is over at the provider, or the
 * provider waits under a reference of ours without a row. Any other status of an unpaid charge is
 * none: late money is honoured or refunded by rule. Source: domain rules, "Charges"; issue 6,
 * "Ledger".
 */
export function compareCharge(
  ours: OurCharge | null,
  theirs: ProviderCharge | null,
): Difference | null {
  const isTaken = theirs?.status === "succeeded";
  if (!ours) {
    if (theirs && isTaken) return found("ours_missing", theirs.refundedCents - theirs.amountCents);
    return theirs && theirs.reference !== null && isOpenThere(theirs)
      ? found("ours_missing", 0, false)
      : null;
  }
  const isPaid = !isUnpaid(ours.status);
  const gapCents =
    (isPaid ? ours.amountCents - ours.refundedCents : 0) -
    (theirs && isTaken ? theirs.amountCents - theirs.refundedCents : 0);
  if (!theirs) return isPaid ? found("theirs_missing", gapCents) : null;
  if (isPaid !== isTaken) return found("state", gapCents);
  if (!isPaid)
    return isAwaitingPayment(ours.status) && !ours.isDebited && !isOpenThere(theirs)
      ? found("state", 0, false)
      : null;
  const areRefundsExplained =
    theirs.refundedCents >= ours.refundedCents &&
    theirs.refundedCents <= ours.refundedCents + ours.waitingCents;
  return ours.amountCents === theirs.amountCents && areRefundsExplained
    ? costDifference(ours, theirs)
    : found("amount", gapCents);
}

const isOpenThere = ({ status }: ProviderCharge): boolean =>
  status === "awaiting_payment" || status === "requires_action" || status === "processing";

/**
 * Decides how a refund of ours differs, or null.
 *
 * A refund that we do not know, or count as failed, is compared with its charge. The refunded sum
 * of the charge says whether anything is missing.
 */
export function compareRefund(
  ours: OurRefund | null,
  theirs: ProviderRefund | null,
): Difference | null {
  if (!ours) return null;
  const back = theirs?.status === "succeeded" ? theirs.amountCents : 0;
  const gapCents = back - (ours.status === "succeeded" ? ours.amountCents : 0);
  if (!theirs) return ours.status === "succeeded" ? found("theirs_missing", gapCents) : null;
  if (ours.amountCents !== theirs.amountCents) return found("amount", gapCents);
  if (ours.status === "failed" || ours.status === theirs.status)
    return costDifference(ours, theirs);
  if (ours.status === "requested")
    return theirs.status === "processing"
      ? null
      : found("state", gapCents, theirs.status === "succeeded");
  return found("state", gapCents);
}

const UNDER_WAY: ReadonlySet<PayoutStatus> = new Set(["claimed", "sent"]);
const CAME_BACK: ReadonlySet<PayoutStatus> = new Set(["failed", "returned"]);

/**
 * Decides how a transfer to a creator differs, or null. A transfer without a payout of ours still
 * left the account. Source: domain rules, "Payouts".
 */
export function compareTransfer(
  ours: OurTransfer | null,
  theirs: ProviderTransfer | null,
): Difference | null {
  const gapCents =
    (theirs?.status === "paid" ? theirs.amountCents : 0) -
    (ours?.status === "paid" ? ours.amountCents : 0);
  if (!ours)
    return theirs && (theirs.status === "paid" || theirs.status === "processing")
      ? found("ours_missing", gapCents)
      : null;
  if (!theirs)
    return ours.status === "paid" || ours.status === "sent"
      ? found("theirs_missing", gapCents)
      : null;
  if (!isSameTransfer(ours.status, theirs.status)) return found("state", gapCents);
  return ours.amountCents === theirs.amountCents
    ? costDifference(ours, theirs)
    : found("amount", gapCents);
}

function isSameTransfer(ours: PayoutStatus, theirs: ProviderTransfer["status"]): boolean {
  if (theirs === "processing") return UNDER_WAY.has(ours);
  return theirs === "paid" ? ours === "paid" : CAME_BACK.has(ours);
}

/**
 * Decides how a dispute differs, or null. A lost amount left the account; until then the provider
 * holds what the books reserve.
 */
export function compareDispute(
  ours: OurDispute | null,
  theirs: ProviderDispute,
): Difference | null {
  const theirStatus = theirs.status === "won" || theirs.status === "lost" ? theirs.status : "open";
  const gapCents =
    (theirStatus === "lost" ? theirs.amountCents : 0) -
    (ours?.status === "lost" ? ours.amountCents : 0);
  if (!ours) return found("ours_missing", gapCents, theirStatus !== "won");
  if (ours.status !== theirStatus) return found("state", gapCents);
  return ours.amountCents === theirs.amountCents
    ? costDifference(ours, theirs)
    : found("amount", gapCents);
}

/**
 * Decides how a Pix mandate differs, or null: where the two sides disagree on whether a bank debits
 * somebody, and how much.
 *
 * It moves no money by itself. A mandate that waits at the provider without a row of ours is no
 * difference. Nor is one that has ended on both sides with different statuses. Source: domain
 * rules, "Subscriptions".
 */
export function compareMandate(
  ours: OurMandate | null,
  theirs: ProviderPixMandate | null,
): Difference | null {
  if (!ours)
    return theirs &&
      (theirs.status === "active" || (theirs.status === "created" && theirs.reference !== null))
      ? found("ours_missing", 0, false)
      : null;
  const isLiving = ours.status === "created" || ours.status === "active";
  if (!theirs) return isLiving ? found("theirs_missing", 0, false) : null;
  // It ended here, but its code may still wait at the provider until it expires. If somebody
  // accepts it, it becomes active and differs.
  if (isLiving ? theirs.status !== ours.status : theirs.status === "active")
    return found("state", 0, false);
  return isLiving && ours.amountCents !== theirs.amountCents ? found("amount", 0, false) : null;
}
