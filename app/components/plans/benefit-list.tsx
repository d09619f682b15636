import { Check } from "lucide-react";

/** Benefits of a plan. */
export function BenefitList({ benefits }: { benefits: string[] }) {
  if (benefits.length === 0) return null;
  return (
    <ul className="flex flex-col gap-2">
      {benefits.map((benefit) => (
        <li key={benefit} className="flex items-start gap-3">
          <Check aria-hidden="true" className="mt-1 size-4 shrink-0 text-leaf" />
          {benefit}
        </li>
      ))}
    </ul>
  );
}
