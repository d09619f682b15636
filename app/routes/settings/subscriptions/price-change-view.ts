import type { PriceChangeDetails } from "#app/components/subscriptions/price-answer.tsx";
import { priceLabel } from "#app/domain/plans/rules/intervals.ts";
import type { PriceChangeView } from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";

/** Formats a current price change for the pages. */
export function priceAskShown({
  askId,
  state,
  interval,
  fromAmountCents,
  toAmountCents,
  takesEffectAt,
  needsMandate,
  movesToPix,
  isChargeOpen,
}: PriceChangeView): PriceChangeDetails {
  return {
    askId,
    state,
    fromPrice: priceLabel({ amountCents: fromAmountCents, interval }),
    toPrice: priceLabel({ amountCents: toAmountCents, interval }),
    takesEffectAt,
    needsMandate,
    movesToPix,
    isChargeOpen,
  };
}
