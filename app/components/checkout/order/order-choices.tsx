import { CouponField } from "./coupon-field.tsx";
import type { Discount } from "./discount.tsx";
import { IntervalLinks } from "./interval-links.tsx";
import { PeriodChoices } from "./period-choices.tsx";
import { PrepayLinks } from "./prepay.tsx";
import type { Prepayment } from "./prepay.tsx";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { savedByInterval } from "#app/domain/subscriptions/prepayments/rules.ts";

type OrderChoicesProps = {
  plan: {
    id: string;
    priceId: string;
    prices: { id: string; interval: Interval; amountCents: number }[];
  };
  renews: Interval | null;
  coupon: { code: string | null; problem: string | null; discount: Discount | null } | null;
  couponError: string | undefined;
  ahead: { choices: { count: number; amountCents: number }[]; chosen: Prepayment | null } | null;
  offersTrial: boolean;
  /** The creator's link that led here. */
  link: string | null;
};

/**
 * What else the order could be, after what has to be typed: another period, several periods at
 * once, a coupon.
 */
export function OrderChoices({
  plan,
  renews,
  coupon,
  couponError,
  ahead,
  offersTrial,
  link,
}: OrderChoicesProps) {
  const code = coupon?.code ?? null;
  const periods = ahead?.chosen?.count ?? 1;
  return (
    <section aria-label="Mudar o pedido" className="flex flex-col gap-1">
      {plan.prices.length > 1 || ahead ? (
        <PeriodChoices
          isOpen={periods > 1 || plan.priceId !== plan.prices[0]?.id}
          savedCents={Math.max(...plan.prices.map((price) => savedByInterval(plan.prices, price)))}
        >
          <IntervalLinks {...plan} planId={plan.id} coupon={code} link={link} />
          {renews && ahead ? (
            <PrepayLinks
              planId={plan.id}
              interval={renews}
              coupon={code}
              link={link}
              {...ahead}
              isFreeFirst={offersTrial}
            />
          ) : null}
        </PeriodChoices>
      ) : null}
      {coupon ? (
        <CouponField
          planId={plan.id}
          interval={renews}
          periods={periods}
          {...coupon}
          link={link}
          problem={couponError ?? coupon.problem}
        />
      ) : null}
    </section>
  );
}
