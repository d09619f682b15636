import type { Cents } from "#app/domain/money.ts";
import { DAY_MS } from "#app/domain/time.ts";

/**
 * A provider tells what a sale, a transfer or a dispute cost in the night after it: two days are
 * what the books may not know of yet.
 */
export const PROVIDER_COST_DELAY_MS = 2 * DAY_MS;
/** What each costs at most: more than any provider of ours asks. */
const SALE_COSTS_PERCENT = 6;
const TRANSFER_COSTS_CENTS = 500;
const DISPUTE_COSTS_CENTS = 10_000;

/**
 * What was asked to leave a provider and is not booked as gone, what is fought over there
 * (centavos), and what of the last two days may cost something that was not told yet.
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

/** What may have left a provider and is not booked as gone (centavos). */
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
  /** Null where it does not answer. */ theirCents: Cents | null;
  onItsWayCents: Cents;
};

/**
 * Why the platform takes nothing out now, or null. INVARIANT: no withdrawal is approved while any
 * provider says that it has less than the books have there, by more than what may be on its way:
 * what is the platform's is a difference of the books, so that money noted as put in that never
 * came would be taken from what is others', at whichever provider. Source:
 * docs/decisions/money/require-a-second-person-for-risky-money-decisions.md.
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
