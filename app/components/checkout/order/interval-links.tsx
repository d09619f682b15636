import { ButtonLink } from "#app/components/ui/button.tsx";
import { formatMoney } from "#app/domain/money.ts";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { LINK_MARK, withLinkMark } from "#app/lib/link-mark.ts";
import { savedByInterval } from "#app/domain/subscriptions/prepayments/rules.ts";

type IntervalLinksProps = {
  planId: string;
  priceId: string;
  prices: { id: string; interval: Interval; amountCents: number }[];
  coupon: string | null;
  /** The creator's link that led here. */
  link?: string | null;
  /** Path of the page that sells it; the checkout by default. */
  path?: string;
};

/** Links to the monthly and the yearly price of a plan, where it has both. */
export function IntervalLinks({
  planId,
  priceId,
  prices,
  coupon,
  path,
  link = null,
}: IntervalLinksProps) {
  if (prices.length < 2) return null;
  return (
    <nav aria-label="Período" className="flex flex-wrap gap-2">
      {prices.map((one) => (
        <ButtonLink
          key={one.id}
          to={
            path
              ? withLinkMark(`${path}?interval=${one.interval}`, link)
              : `/checkout?${new URLSearchParams({ plan: planId, interval: one.interval, ...(coupon ? { coupon } : {}), ...(link ? { [LINK_MARK]: link } : {}) }).toString()}`
          }
          variant={one.id === priceId ? "ink" : "outline"}
          aria-current={one.id === priceId ? "true" : undefined}
        >
          {intervalText(prices, one)}
        </ButtonLink>
      ))}
    </nav>
  );
}

/** "por mês"; "por ano: economize R$ 39,80" beside twelve months. */
function intervalText(
  prices: IntervalLinksProps["prices"],
  price: IntervalLinksProps["prices"][number],
): string {
  const savedCents = savedByInterval(prices, price);
  const label = intervalLabel(price.interval);
  return savedCents > 0 ? `${label}: economize ${formatMoney(savedCents)}` : label;
}
