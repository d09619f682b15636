import type { Cents } from "#app/domain/money.ts";
import type { Posting } from "#app/domain/ledger/schema.ts";
import { accountRef, debit, credit, takeBack, posting } from "./legs.ts";

type PayoutRef = { payoutId: string; creatorId: string; provider: string; amountCents: Cents };

/**
 * Posting of a claimed payout: the amount leaves the available balance before any call to the
 * provider.
 */
export function payoutClaimed(payout: PayoutRef): Posting {
  return posting(
    `payout:${payout.payoutId}:claimed`,
    "payout.claimed",
    { payoutId: payout.payoutId },
    [
      debit(accountRef("creator_available", payout.creatorId), payout.amountCents),
      credit(accountRef("payout_in_transit", payout.payoutId), payout.amountCents),
    ],
  );
}

/** Posting of a payout that the bank received. */
export function payoutPaid(payout: PayoutRef): Posting {
  return posting(`payout:${payout.payoutId}:paid`, "payout.paid", { payoutId: payout.payoutId }, [
    debit(accountRef("payout_in_transit", payout.payoutId), payout.amountCents),
    credit(accountRef("provider_clearing", payout.provider), payout.amountCents),
  ]);
}

/**
 * Posting of a payout that was reversed as failed and that the bank has after all. It takes the
 * money from `availableCents`, the creator's available balance now; the rest becomes owed. Source:
 * docs/decisions/money/never-send-the-same-money-twice.md.
 */
export function payoutPaidAfterReversal(payout: PayoutRef & { availableCents: Cents }): Posting {
  return posting(
    `payout:${payout.payoutId}:paid_after_all`,
    "payout.paid",
    { payoutId: payout.payoutId },
    [
      ...takeBack(payout.creatorId, payout.amountCents, {
        pendingOfChargeCents: 0,
        availableCents: payout.availableCents,
      }),
      credit(accountRef("provider_clearing", payout.provider), payout.amountCents),
    ],
  );
}

/** Posting of a payout that the provider refused: the money is available again. */
export function payoutFailed(payout: PayoutRef): Posting {
  return posting(
    `payout:${payout.payoutId}:failed`,
    "payout.failed",
    { payoutId: payout.payoutId },
    [
      debit(accountRef("payout_in_transit", payout.payoutId), payout.amountCents),
      credit(accountRef("creator_available", payout.creatorId), payout.amountCents),
    ],
  );
}

/** Posting of a payout that the bank returned after it was paid. */
export function payoutReturned(payout: PayoutRef): Posting {
  return posting(
    `payout:${payout.payoutId}:returned`,
    "payout.returned",
    { payoutId: payout.payoutId },
    [
      debit(accountRef("provider_clearing", payout.provider), payout.amountCents),
      credit(accountRef("creator_available", payout.creatorId), payout.amountCents),
    ],
  );
}
