import { destinationLabel } from "#app/domain/payouts/destinations/rules/destinations.ts";
import { payoutLabel } from "#app/domain/payouts/rules.ts";
import type { Payout, PayoutStatus } from "#app/domain/payouts/schema.ts";
import { HELD_LABELS, WAIT_REASON_LABELS } from "./payout-labels.ts";

export type ReviewItem = {
  id: string;
  name: string;
  username: string | null;
  status: PayoutStatus;
  label: string;
  heldLabel: string | null;
  to: string;
  cents: number;
  requestedAt: number;
};

/**
 * What a list of the desk shows of a payout. What was not claimed yet has no amount: what would
 * leave now is shown.
 */
export function toReviewItem({
  payout,
  name,
  username,
  availableCents,
}: {
  payout: Payout;
  name: string | null;
  username: string | null;
  availableCents: number;
}): ReviewItem {
  return {
    id: payout.id,
    name: name ?? "Conta encerrada",
    username,
    status: payout.status,
    label: payoutLabel(payout.status),
    // What was taken back while it was held is held no more.
    heldLabel: payout.waitsFor
      ? WAIT_REASON_LABELS[payout.waitsFor]
      : payout.status === "held" && payout.heldReason
        ? HELD_LABELS[payout.heldReason]
        : null,
    to: destinationLabel(payout.pixKeyKind, payout.pixKey),
    cents:
      payout.amountCents > 0
        ? payout.amountCents
        : payout.status === "canceled"
          ? 0
          : availableCents,
    requestedAt: payout.requestedAt,
  };
}
