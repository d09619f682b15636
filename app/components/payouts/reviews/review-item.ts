import { destinationLabel } from "#app/domain/payouts/destinations/rules/destinations.ts";
import { payoutLabel } from "#app/domain/payouts/rules.ts";
import type { Payout, PayoutStatus } from "#app/domain/payouts/schema.ts";
import { HELD_LABELS, WAIT_REASON_LABELS } from "#app/components/payouts/payout-labels.ts";

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
 * Converts a payout to a row of the staff review. An unclaimed payout has no amount yet, and shows
 * what would be paid now.
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
    // A payout that was canceled while held is no longer held.
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
