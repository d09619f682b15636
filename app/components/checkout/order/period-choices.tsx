import { useState } from "react";
import type { ReactNode } from "react";
import { formatMoney } from "#app/domain/money.ts";

/**
 * The other periods of a plan, and several at once. Folded, because what has to be typed and paid
 * comes first; the fold says what a longer period saves.
 */
export function PeriodChoices({
  isOpen,
  savedCents,
  children,
}: {
  /** Something of it is chosen already. */
  isOpen: boolean;
  savedCents: number;
  children: ReactNode;
}) {
  // A choice inside loads the page anew: the fold stays as the reader left it.
  const [startsOpen] = useState(isOpen);
  return (
    <details open={startsOpen}>
      <summary className="flex min-h-11 w-fit max-w-full items-center font-semibold text-leaf underline underline-offset-4">
        {savedCents > 0
          ? `Pagar por mais tempo: economize ${formatMoney(savedCents)}`
          : "Pagar por mais tempo"}
      </summary>
      <div className="flex flex-col gap-4 pt-2 pb-1">{children}</div>
    </details>
  );
}
