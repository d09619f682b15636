import { Form, Link } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { LINK_MARK } from "#app/lib/link-mark.ts";
import type { Discount } from "./discount.tsx";

type CouponFieldProps = {
  planId: string;
  interval: string | null;
  periods: number;
  code: string | null;
  problem: string | null;
  discount: Discount | null;
  /** The creator's link that led here. */
  link: string | null;
};

/**
 * Coupon field in a form of its own, which only previews the price before any payment. Collapsed by
 * default.
 */
export function CouponField({
  planId,
  interval,
  periods,
  code,
  problem,
  discount,
  link,
}: CouponFieldProps) {
  const search = new URLSearchParams({
    plan: planId,
    ...(interval ? { interval } : {}),
    ...(periods > 1 ? { periods: String(periods) } : {}),
    ...(link ? { [LINK_MARK]: link } : {}),
  });
  if (discount && !problem) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-field bg-signal-soft px-4 py-3">
        <p role="status" className="min-w-0 wrap-anywhere">
          <span className="font-semibold">Cupom {discount.code}:</span> {discount.label}.
        </p>
        <Link
          to={`/checkout?${search.toString()}`}
          replace
          preventScrollReset
          className="flex min-h-11 items-center font-semibold text-leaf underline underline-offset-4"
        >
          Tirar cupom
        </Link>
      </div>
    );
  }
  return (
    <details open={code !== null} className="group">
      <summary className="flex min-h-11 w-fit items-center font-semibold text-leaf underline underline-offset-4">
        Tenho um cupom
      </summary>
      <Form method="get" replace preventScrollReset className="flex items-start gap-2 pt-2">
        {[...search].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <TextField
          key={code}
          label="Cupom"
          name="coupon"
          defaultValue={code ?? ""}
          error={problem ?? undefined}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={100}
          className="min-w-0 flex-1"
        />
        <Button variant="outline" className="mt-[1.6rem] min-h-12">
          Aplicar
        </Button>
      </Form>
    </details>
  );
}
