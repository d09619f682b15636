import { useState } from "react";
import { TextField } from "#app/components/ui/fields/field.tsx";
import type { BasisPoints } from "#app/domain/money.ts";
import { singlePriceNetText } from "./price-net.ts";

type SalePriceFieldProps = {
  label: string;
  placeholder: string;
  hint: string;
  /** The price that the page was sent with, as text. */
  initial: string;
  error: string | undefined;
  feeBasisPoints: BasisPoints;
  /** Zero is a price too: nothing is received, and nothing is wrong. */
  mayBeFree?: boolean;
};

/** The price of what is sold once, with what its creator receives of each sale. */
export function SalePriceField({
  initial,
  error,
  feeBasisPoints,
  mayBeFree = false,
  ...texts
}: SalePriceFieldProps) {
  const [price, setPrice] = useState(initial);
  const isRefused = error !== undefined && price === initial;
  const isFree = mayBeFree && /^\s*0*(?:[,.]0{0,2})?\s*$/.test(price);
  const netText = isRefused || isFree ? null : singlePriceNetText(price, feeBasisPoints);
  return (
    <div className="flex flex-col gap-2">
      <TextField
        {...texts}
        name="price"
        prefix="R$"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={initial}
        error={error}
        required={false}
        aria-describedby="sale-price-return"
        onInput={(event) => setPrice(event.currentTarget.value)}
      />
      <p
        id="sale-price-return"
        role="status"
        className={`text-small empty:hidden ${netText?.isProblem ? "font-medium text-attention" : "text-muted"}`}
      >
        {netText?.text}
      </p>
    </div>
  );
}
