import { Money } from "#app/components/ui/money.tsx";
import { intervalLabel } from "#app/domain/plans/schema.ts";
import type { Interval } from "#app/domain/plans/schema.ts";
import { formatDay } from "#app/domain/time.ts";

/** What a coupon does to the price of a plan. */
export type Discount = {
  code: string;
  /** "20% de desconto nos 3 primeiros pagamentos". */
  words: string;
  firstCents: number;
  /** Null for all of them. */
  cycles: number | null;
  /** When the first full price is charged, were this paid today; null for never. */
  fullPriceAt: number | null;
};

/** The coupon as a line of the receipt. */
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

/** What is paid after today: with the discount while it lasts, and then the full price. */
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
