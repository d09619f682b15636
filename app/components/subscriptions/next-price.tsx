import { Money } from "#app/components/ui/money.tsx";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";

/** Next amount (centavos) and its interval, with a note when it includes a coupon. */
export function NextPrice({
  amountCents,
  priceCents,
  interval,
  isStrong = false,
}: {
  amountCents: number;
  priceCents: number;
  interval: Interval;
  isStrong?: boolean;
}) {
  return (
    <>
      <Money cents={amountCents} className={isStrong ? "font-semibold" : undefined} />{" "}
      {amountCents === priceCents ? intervalLabel(interval) : "com o cupom"}
    </>
  );
}
