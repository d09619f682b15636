import type { PriceAskShown } from "#app/components/payments/price-answer.tsx";
import { priceWords } from "#app/domain/plans/schema.ts";
import type { PriceAskView } from "#app/domain/subscriptions/queries/price/consents.server.ts";

/** What the pages show of an ask that stands, in words. */
export function priceAskShown({
  askId,
  state,
  interval,
  fromAmountCents,
  toAmountCents,
  takesEffectAt,
  needsAuthorisation,
  movesToPix,
  isChargeOpen,
}: PriceAskView): PriceAskShown {
  return {
    askId,
    state,
    fromPrice: priceWords({ amountCents: fromAmountCents, interval }),
    toPrice: priceWords({ amountCents: toAmountCents, interval }),
    takesEffectAt,
    needsAuthorisation,
    movesToPix,
    isChargeOpen,
  };
}
