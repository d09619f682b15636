import { ButtonLink } from "#app/components/ui/button.tsx";
import { intervalLabel } from "#app/domain/plans/schema.ts";
import type { Interval } from "#app/domain/plans/schema.ts";

type IntervalLinksProps = {
  planId: string;
  priceId: string;
  prices: { id: string; interval: Interval }[];
  coupon: string | null;
  /** Path of the page that sells it; the checkout by default. */
  path?: string;
};

/** Links to the monthly and the yearly price of a plan, where it has both. */
export function IntervalLinks({ planId, priceId, prices, coupon, path }: IntervalLinksProps) {
  if (prices.length < 2) return null;
  return (
    <nav aria-label="Período" className="flex flex-wrap gap-2">
      {prices.map((one) => (
        <ButtonLink
          key={one.id}
          to={
            path
              ? `${path}?interval=${one.interval}`
              : `/checkout?${new URLSearchParams({ plan: planId, interval: one.interval, ...(coupon ? { coupon } : {}) }).toString()}`
          }
          variant={one.id === priceId ? "ink" : "outline"}
          aria-current={one.id === priceId ? "true" : undefined}
        >
          {intervalLabel(one.interval)}
        </ButtonLink>
      ))}
    </nav>
  );
}
