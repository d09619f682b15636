import type { ReactNode } from "react";

export type Detail = { label: string; value: ReactNode };

/** Names and values in two columns, as on a receipt. */
export function DetailList({ details }: { details: Detail[] }) {
  return (
    <dl className="flex flex-col divide-y divide-line">
      {details.map((fact) => (
        <div
          key={fact.label}
          className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0"
        >
          <dt className="text-muted">{fact.label}</dt>
          <dd className="min-w-0 font-semibold">{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}
