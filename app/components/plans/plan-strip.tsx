import { decidePlanWay } from "#app/domain/access/rules/plan-way.ts";
import type { HeldSubscription } from "#app/domain/access/rules/plan-way.ts";
import type { Plan } from "#app/domain/plans/schema.ts";
import { PlanCard } from "./plan-card.tsx";

type PlanStripProps = {
  plans: Plan[];
  /** Theirs to the same creator, in whatever live state. */
  subscription?: HeldSubscription | null;
  isOwn?: boolean;
  mayEdit?: boolean;
  signedIn?: boolean;
  /** End of the creator's vacation: nothing is sold until then. */
  awayUntil?: number | null;
  /** The creator's link that led here; the checkout is told. */
  link?: string | null;
};

/**
 * Plans of a page side by side; on a phone they scroll within their own strip. In a member's column
 * two stand side by side, and the last of an odd number fills its line.
 */
export function PlanStrip({
  plans,
  subscription = null,
  isOwn = false,
  mayEdit = true,
  signedIn = false,
  awayUntil = null,
  link = null,
}: PlanStripProps) {
  const featuredId = mostChosen(plans);
  const columns =
    plans.length < 3
      ? "sm:grid-cols-2"
      : signedIn
        ? "sm:grid-cols-2 sm:*:odd:last:col-span-2"
        : "sm:grid-cols-2 sm:max-md:*:odd:last:col-span-2 md:grid-cols-3";
  // A single plan fills a phone; several leave the next one partly visible.
  const width = plans.length === 1 ? "*:w-full" : "*:w-[280px]";
  return (
    <section id="planos" aria-label="Planos" className="scroll-mt-4">
      <h2 className="sr-only">Planos</h2>
      <ul
        className={`-mx-4 flex snap-x scroll-px-4 gap-4 overflow-x-auto px-4 pt-3 pb-2 [scrollbar-width:thin] *:shrink-0 sm:mx-0 sm:grid sm:overflow-visible sm:px-0 sm:*:w-auto ${width} ${columns}`}
      >
        {plans.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            featured={plan.id === featuredId}
            signedIn={signedIn}
            awayUntil={awayUntil}
            link={link}
            isTheirs={subscription?.planId === plan.id}
            way={isOwn ? (mayEdit ? "edit" : "look") : decidePlanWay(plan.id, subscription)}
          />
        ))}
      </ul>
    </section>
  );
}

/** The most popular plan. Null for a single plan, or before anybody subscribes. */
function mostChosen(plans: Plan[]): string | null {
  if (plans.length < 2) return null;
  const [first] = plans.toSorted((one, other) => other.seatsTaken - one.seatsTaken);
  return first && first.seatsTaken > 0 ? first.id : null;
}
