import type { Cents } from "#app/domain/money.ts";
import type { LedgerAccountRef, Posting } from "./schema.ts";
import { accountRef, debit, credit, takeBack, posting } from "./rules/legs.ts";
import type { RefundRecourse } from "./rules/legs.ts";

/** Returns the primary key of an account: `kind` or `kind:owner`. */
export function accountId(account: LedgerAccountRef): string {
  return account.ownerId === null ? account.kind : `${account.kind}:${account.ownerId}`;
}

type ChargeRef = { chargeId: string; creatorId: string; provider: string };

/**
 * Posting of a charge that succeeded: clearing takes the gross, the creator's pending balance the
 * net, the platform its fee (centavos). Source: domain rules, "Ledger".
 */
export function chargeSucceeded(
  charge: ChargeRef & { grossCents: Cents; feeCents: Cents },
): Posting {
  return posting(
    `charge:${charge.chargeId}:succeeded`,
    "charge.succeeded",
    { chargeId: charge.chargeId },
    [
      debit(accountRef("provider_clearing", charge.provider), charge.grossCents),
      credit(accountRef("creator_pending", charge.creatorId), charge.grossCents - charge.feeCents),
      credit(accountRef("platform_fees"), charge.feeCents),
    ],
  );
}

/**
 * Returns how much of a creator's debt is recovered as `netCents` become available (centavos): at
 * most half of them.
 */
export const recoveredDebtCents = ({
  netCents,
  owedCents,
}: {
  netCents: Cents;
  owedCents: Cents;
}): Cents => Math.min(owedCents, Math.floor(netCents / 2));

/**
 * Posting of a pending part of a charge that becomes available. At most half of it recovers what
 * the creator owes first.
 *
 * `netCents` is the rest of the part at `position`. `owedCents` is what the creator owes now.
 */
export function chargeReleased(
  charge: ChargeRef & { position: number; netCents: Cents; owedCents: Cents },
): Posting {
  const recoveredCents = recoveredDebtCents(charge);
  return posting(
    `charge:${charge.chargeId}:released:${charge.position}`,
    "charge.released",
    { chargeId: charge.chargeId },
    [
      debit(accountRef("creator_pending", charge.creatorId), charge.netCents),
      credit(accountRef("creator_owed", charge.creatorId), recoveredCents),
      credit(accountRef("creator_available", charge.creatorId), charge.netCents - recoveredCents),
    ],
  );
}

/**
 * Posting of a refund of `amountCents`. The platform returns `feeShareCents`, and the rest comes
 * from the creator. `isByTransfer`: the money stays in transit for the payer until our refund
 * transfer pays it.
 */
export function chargeRefunded(
  refund: ChargeRef & {
    refundId: string;
    amountCents: Cents;
    feeShareCents: Cents;
    recourse: RefundRecourse;
    isByTransfer?: boolean;
  },
): Posting {
  const netCents = refund.amountCents - refund.feeShareCents;
  return posting(
    `refund:${refund.refundId}:succeeded`,
    "charge.refunded",
    { chargeId: refund.chargeId },
    [
      ...takeBack(refund.creatorId, netCents, refund.recourse),
      debit(accountRef("platform_fees"), refund.feeShareCents),
      credit(
        refund.isByTransfer
          ? accountRef("refund_in_transit", refund.refundId)
          : accountRef("provider_clearing", refund.provider),
        refund.amountCents,
      ),
    ],
  );
}

/** `provider` is where the money leaves or arrives. It may differ from the charge's provider. */
type RefundTransferRef = {
  transferId: string;
  refundId: string;
  chargeId: string;
  provider: string;
  amountCents: Cents;
};

/** Posting of a refund transfer that was paid by Pix. */
export function refundTransferred(sent: RefundTransferRef): Posting {
  return posting(
    `refund-transfer:${sent.transferId}:paid`,
    "refund.transferred",
    { chargeId: sent.chargeId },
    [
      debit(accountRef("refund_in_transit", sent.refundId), sent.amountCents),
      credit(accountRef("provider_clearing", sent.provider), sent.amountCents),
    ],
  );
}

/**
 * Posting of a refund that an earlier transfer paid, although it was reported as failed. The later
 * try, `transferId`, is not made. `provider` made the earlier transfer.
 */
export function refundPaidByEarlierTry(stopped: RefundTransferRef): Posting {
  return posting(
    `refund-transfer:${stopped.transferId}:paid_before`,
    "refund.transferred",
    { chargeId: stopped.chargeId },
    [
      debit(accountRef("refund_in_transit", stopped.refundId), stopped.amountCents),
      credit(accountRef("provider_clearing", stopped.provider), stopped.amountCents),
    ],
  );
}

/** Posting of a refund transfer that was returned: its money is in transit again. */
export function refundTransferReturned(sent: RefundTransferRef): Posting {
  return posting(
    `refund-transfer:${sent.transferId}:returned`,
    "refund.transfer_returned",
    { chargeId: sent.chargeId },
    [
      debit(accountRef("provider_clearing", sent.provider), sent.amountCents),
      credit(accountRef("refund_in_transit", sent.refundId), sent.amountCents),
    ],
  );
}

/**
 * Posting of a refund in transit that the payer received another way: their bank took it in a
 * dispute, or the provider refunded it on its own pages. `provider` is the charge's.
 */
export function refundSuperseded(taken: RefundTransferRef): Posting {
  return posting(
    `refund-transfer:${taken.transferId}:taken`,
    "refund.taken_back",
    { chargeId: taken.chargeId },
    [
      debit(accountRef("refund_in_transit", taken.refundId), taken.amountCents),
      credit(accountRef("provider_clearing", taken.provider), taken.amountCents),
    ],
  );
}

type DisputeRef = ChargeRef & { disputeId: string; amountCents: Cents; feeShareCents: Cents };

/** Posting of an opened dispute or MED: net and fee share stay in reserve until it is decided. */
export function disputeOpened(dispute: DisputeRef & { recourse: RefundRecourse }): Posting {
  const netCents = dispute.amountCents - dispute.feeShareCents;
  return posting(
    `dispute:${dispute.disputeId}:opened`,
    "dispute.opened",
    { chargeId: dispute.chargeId },
    [
      ...takeBack(dispute.creatorId, netCents, dispute.recourse),
      debit(accountRef("platform_fees"), dispute.feeShareCents),
      credit(accountRef("creator_reserved", dispute.creatorId), netCents),
      credit(accountRef("fees_reserved"), dispute.feeShareCents),
    ],
  );
}

/** Posting of a lost dispute: the reserve goes to the payer through the provider. */
export function disputeLost(dispute: DisputeRef): Posting {
  return posting(
    `dispute:${dispute.disputeId}:lost`,
    "dispute.lost",
    { chargeId: dispute.chargeId },
    [
      debit(
        accountRef("creator_reserved", dispute.creatorId),
        dispute.amountCents - dispute.feeShareCents,
      ),
      debit(accountRef("fees_reserved"), dispute.feeShareCents),
      credit(accountRef("provider_clearing", dispute.provider), dispute.amountCents),
    ],
  );
}

/**
 * Posting of a won dispute. `waitingCents` of the reserve stay pending for future periods. The rest
 * pays what the creator owes, then becomes available. The fee returns to the platform.
 */
export function disputeWon(
  dispute: DisputeRef & { waitingCents: Cents; owedCents: Cents },
): Posting {
  const netCents = dispute.amountCents - dispute.feeShareCents;
  const freeCents = netCents - dispute.waitingCents;
  const recoveredCents = Math.min(dispute.owedCents, freeCents);
  return posting(
    `dispute:${dispute.disputeId}:won`,
    "dispute.won",
    { chargeId: dispute.chargeId },
    [
      debit(accountRef("creator_reserved", dispute.creatorId), netCents),
      debit(accountRef("fees_reserved"), dispute.feeShareCents),
      credit(accountRef("creator_owed", dispute.creatorId), recoveredCents),
      credit(accountRef("creator_available", dispute.creatorId), freeCents - recoveredCents),
      credit(accountRef("creator_pending", dispute.creatorId), dispute.waitingCents),
      credit(accountRef("platform_fees"), dispute.feeShareCents),
    ],
  );
}

/**
 * Posting of money that staff moved from one provider to another, outside of the product. Nobody's
 * balance changes.
 */
export function providerTransferred(move: {
  id: string;
  from: string;
  to: string;
  amountCents: Cents;
}): Posting {
  return posting(`provider-move:${move.id}`, "provider.moved", {}, [
    debit(accountRef("provider_clearing", move.to), move.amountCents),
    credit(accountRef("provider_clearing", move.from), move.amountCents),
  ]);
}

/**
 * Posting of a platform deposit into a provider's account, so that payouts can be sent. Source:
 * domain rules, "Ledger".
 */
export function platformDeposited(put: {
  id: string;
  provider: string;
  amountCents: Cents;
}): Posting {
  return posting(`provider-move:${put.id}`, "platform.put_in", {}, [
    debit(accountRef("provider_clearing", put.provider), put.amountCents),
    credit(accountRef("platform_cash"), put.amountCents),
  ]);
}

/** Posting of a platform withdrawal from a provider's account. Source: domain rules, "Ledger". */
export function platformWithdrawn(taken: {
  id: string;
  provider: string;
  amountCents: Cents;
}): Posting {
  return posting(`provider-move:${taken.id}`, "platform.took_out", {}, [
    debit(accountRef("platform_cash"), taken.amountCents),
    credit(accountRef("provider_clearing", taken.provider), taken.amountCents),
  ]);
}

/** What a provider cost belongs to: a charge, its refund or its dispute, or a transfer out. */
export type ProviderCostSubject = {
  object: "charge" | "refund" | "dispute" | "transfer";
  id: string;
  provider: string;
  chargeId?: string | null;
  payoutId?: string | null;
};

/**
 * Posting of a provider's reported cost (centavos; below zero where it returns some). It is the
 * platform's expense, never a creator's. Source: domain rules, "Fee".
 */
export function providerCost(cost: ProviderCostSubject & { costCents: Cents }): Posting {
  const { object, id, provider, costCents } = cost;
  return posting(`cost:${object}:${id}`, "provider.cost", cost, [
    debit(accountRef("provider_costs"), costCents),
    credit(accountRef("provider_clearing", provider), costCents),
  ]);
}

type DebtRef = { creatorId: string; amountCents: Cents };

/**
 * Posting of a debt payment ("Quitar com Pix"). It pays what is owed now; any excess is available
 * to the creator.
 */
export function debtPaid(
  paid: DebtRef & { chargeId: string; provider: string; owedCents: Cents },
): Posting {
  const recoveredCents = Math.min(paid.owedCents, paid.amountCents);
  return posting(`charge:${paid.chargeId}:succeeded`, "debt.paid", { chargeId: paid.chargeId }, [
    debit(accountRef("provider_clearing", paid.provider), paid.amountCents),
    credit(accountRef("creator_owed", paid.creatorId), recoveredCents),
    credit(accountRef("creator_available", paid.creatorId), paid.amountCents - recoveredCents),
  ]);
}

/** Posting of a debt that a moderator wrote off, after 180 days: the platform bears it. */
export function debtWriteOff(off: DebtRef & { writeOffId: string }): Posting {
  return posting(`write-off:${off.writeOffId}`, "debt.written_off", {}, [
    debit(accountRef("write_offs"), off.amountCents),
    credit(accountRef("creator_owed", off.creatorId), off.amountCents),
  ]);
}
