import type { ReactNode } from "react";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { monthLabel } from "#app/domain/ledger/months/rules/months.ts";
import type { Month } from "#app/domain/ledger/months/rules/months.ts";

/**
 * Heading of a monthly report, with links to the neighbouring months; `after` is null in the
 * current one.
 */
export function MonthHeading({
  id,
  before,
  after,
  children,
}: {
  id: string;
  before: Month;
  after: Month | null;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h2 id={id} className="text-heading">
        {children}
      </h2>
      <div className="flex gap-2">
        <ButtonLink to={`?month=${before}`} variant="outline" size="sm">
          {monthLabel(before)}
        </ButtonLink>
        {after === null ? null : (
          <ButtonLink to={`?month=${after}`} variant="outline" size="sm">
            {monthLabel(after)}
          </ButtonLink>
        )}
      </div>
    </div>
  );
}
