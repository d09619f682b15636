import type { Prepayment } from "#app/components/checkout/order/prepay.tsx";
import type { Context } from "#app/domain/context.ts";
import { isMethodOffered } from "#app/domain/payments/providers/rules/providers.ts";
import type { PlanOffer } from "#app/domain/plans/queries.server.ts";
import {
  prepayOptions,
  prepaidPeriodPrices,
  soldAsOnePeriod,
} from "#app/domain/subscriptions/prepayments/rules.ts";
import type { CouponShown } from "./coupon.server.ts";

export type AheadShown = {
  choices: { count: number; amountCents: number }[];
  chosen: Prepayment | null;
};

/**
 * Returns the choices to prepay several periods of an offer by Pix, and the choice that the address
 * names. Null where there is none.
 */
export function aheadShown(
  ctx: Context,
  {
    offer: { plan, price, prices },
    coupon,
    periods,
  }: { offer: PlanOffer; coupon: CouponShown | null; periods: number },
): AheadShown | null {
  const now = ctx.now();
  const terms = coupon?.discount
    ? { ...coupon.discount.terms, cyclesLeft: coupon.discount.cycles }
    : null;
  const priced = { planId: plan.id, amountCents: price.amountCents, interval: price.interval };
  const choices = isMethodOffered("pix", ctx)
    ? prepayOptions(priced, { anchorAt: now, startsAt: now, coupon: terms, now }).filter(
        (option) => soldAsOnePeriod(prices, { ...option, interval: price.interval }) === null,
      )
    : [];
  if (choices.length === 0) return null;
  const chosen = choices.find(({ count }) => count === periods);
  const shown = choices.map(({ count, amountCents }) => ({ count, amountCents }));
  if (!chosen) return { choices: shown, chosen: null };
  const { count, amountCents, startsAt, endsAt } = chosen;
  return {
    choices: shown,
    chosen: {
      count,
      amountCents,
      fullCents: count * price.amountCents,
      nextCents: prepaidPeriodPrices(priced, terms, count + 1).at(-1) ?? price.amountCents,
      startsAt,
      endsAt,
    },
  };
}
