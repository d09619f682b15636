import { Money } from "#app/components/ui/money.tsx";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { formatDay } from "#app/domain/time.ts";

/** Effect of a coupon on a plan's price. */
export type Discount = {
  code: string;
  /** Text, such as "20% de desconto nos 3 primeiros pagamentos". */
  label: string;
  firstCents: number;
  /** Number of discounted payments; null for all. */
  cycles: number | null;
  /** When the first full price is charged if this is paid today; null for never. */
  fullPriceAt: number | null;
};

/** Line of the receipt with the coupon. */
export function DiscountLine({ code, firstCents, fullCents }: Discount & { fullCents: number }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="min-w-0 wrap-anywhere">Cupom {code}</dt>
      <dd>
        <Money cents={firstCents - fullCents} />
      </dd>
    </div>
  );
}

/** Payments after today: with the discount while it lasts, then the full price. */
export function DiscountNote({
  cycles,
  firstCents,
  fullPriceAt,
  fullCents,
  interval,
}: Discount & { fullCents: number; interval: Interval }) {
  if (fullPriceAt === null) {
    return (
      <p className="text-small">
        Depois, <Money cents={firstCents} /> {intervalLabel(interval)}.
      </p>
    );
  }
  return (
    <p className="text-small">
      {cycles === 1 ? null : (
        <>
          <Money cents={firstCents} /> em cada um dos {cycles} primeiros pagamentos.{" "}
        </>
      )}
      A partir de {formatDay(fullPriceAt)}, <Money cents={fullCents} /> {intervalLabel(interval)}.
    </p>
  );
}
