import { ButtonLink } from "#app/components/ui/button.tsx";
import { intervalLabel } from "#app/domain/plans/schema.ts";
import type { Interval } from "#app/domain/plans/schema.ts";

type IntervalLinksProps = { planId: string; priceId: string; prices: { id: string; interval: Interval }[]; coupon: string | null };

/** The same plan by the month or by the year, when it is sold so. */
export function IntervalLinks({ planId, priceId, prices, coupon }: IntervalLinksProps) {
  if (prices.length < 2) return null;
  return (
    <nav aria-label="Período" className="flex flex-wrap gap-2">
      {prices.map((one) => (
        <ButtonLink
          key={one.id}
          to={`/checkout?${new URLSearchParams({ plan: planId, interval: one.interval, ...(coupon ? { coupon } : {}) }).toString()}`}
          variant={one.id === priceId ? "ink" : "outline"}
          aria-current={one.id === priceId ? "true" : undefined}
        >
          {intervalLabel(one.interval)}
        </ButtonLink>
      ))}
    </nav>
  );
}
