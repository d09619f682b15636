import { formatMoney } from "#app/domain/money.ts";
import type { Plan } from "#app/domain/plans/schema.ts";
import { lowestMonthlyCents } from "#app/domain/posts/rules.ts";

/**
 * Shows the offer at the foot of a phone's window once the plans have scrolled away (app.css). It
 * stays within the posts.
 */
export function StickyOffer({ plans }: { plans: Plan[] }) {
  const fromCents = lowestMonthlyCents(plans.flatMap((plan) => plan.prices));
  if (fromCents === null) return null;
  return (
    <div className="offer-after pointer-events-none sticky bottom-0 -mx-4 px-4 pt-8 pb-[max(1rem,env(safe-area-inset-bottom))] sm:hidden">
      <a
        href="#planos"
        className="pointer-events-auto flex min-h-13 items-center justify-center rounded-full bg-signal px-6 font-semibold text-on-signal shadow-float"
      >
        Assinar · a partir de {formatMoney(fromCents)}
      </a>
    </div>
  );
}
