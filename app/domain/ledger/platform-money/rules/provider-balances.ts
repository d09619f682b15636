import type { Cents } from "#app/domain/money.ts";
import { DAY_MS } from "#app/domain/time.ts";

/**
 * A provider reports the cost of a sale, a transfer or a dispute in the night after it. So the
 * books may not know the costs of two days.
 */
export const PROVIDER_COST_DELAY_MS = 2 * DAY_MS;
/** The maximum cost of each, above the price of any of our providers. */
const SALE_COSTS_PERCENT = 6;
const TRANSFER_COSTS_CENTS = 500;
const DISPUTE_COSTS_CENTS = 10_000;

/**
 * Money that was asked to leave a provider and is not booked yet, and disputed money there
 * (centavos). The `late…` fields count objects of the last two days whose cost may not be reported
 * yet.
 */
export type OutgoingMoney = {
  payoutsCents: Cents;
  refundsCents: Cents;
  transfersCents: Cents;
  disputesCents: Cents;
  lateSalesCents: Cents;
  lateTransfers: number;
  lateDisputes: number;
};

/** Sums what may have left a provider and is not booked yet (centavos). */
export const outgoingCents = (of: OutgoingMoney): Cents =>
  of.payoutsCents +
  of.refundsCents +
  of.transfersCents +
  of.disputesCents +
  Math.ceil((of.lateSalesCents * SALE_COSTS_PERCENT) / 100) +
  of.lateTransfers * TRANSFER_COSTS_CENTS +
  of.lateDisputes * DISPUTE_COSTS_CENTS;

export type ProviderBalanceComparison = {
  name: string;
  booksCents: Cents;
  /** Null where the provider does not answer. */ theirCents: Cents | null;
  onItsWayCents: Cents;
};

/**
 * Decides why the platform may withdraw nothing now, or null.
 *
 * INVARIANT: no withdrawal is approved unless every provider reports at least what the books have
 * there, less what may be on its way. The platform's money is a difference of the books. A recorded
 * deposit that never arrived would be taken from other people's money, at whichever provider.
 * Source: docs/decisions/money/require-a-second-person-for-risky-money-decisions.md.
 */
export function balancesProblem(
  compared: readonly ProviderBalanceComparison[],
): "short" | "silent" | null {
  if (
    compared.some(
      ({ theirCents, booksCents, onItsWayCents: onItsWay }) =>
        theirCents !== null && theirCents < booksCents - onItsWay,
    )
  )
    return "short";
  return compared.some(({ theirCents }) => theirCents === null) ? "silent" : null;
}
