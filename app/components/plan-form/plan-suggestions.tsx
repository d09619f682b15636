import { Link } from "react-router";
import { BenefitList } from "#app/components/plans/benefit-list.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";

/** The suggestions that an address asks for. */
export type OfferedSuggestions = {
  kinds: readonly { kind: string; label: string }[];
  kind: string | null;
  plans: readonly {
    name: string;
    amountCents: number;
    description: string;
    benefits: string[];
  }[];
  /** The address names a kind: the person is choosing. */
  isAsked: boolean;
};

/**
 * Plans to start from, by kind of work. Each is a link that fills the form of the same page;
 * nothing is saved by choosing.
 */
export function PlanSuggestions({ kinds, kind, plans }: OfferedSuggestions) {
  return (
    <div className="flex flex-col gap-5">
      <nav aria-label="O que você faz" className="flex flex-col gap-2">
        <p className="text-small font-semibold">O que você faz?</p>
        <ul className="flex flex-wrap gap-2">
          {kinds.map((one) => (
            <li key={one.kind}>
              <Link
                to={`?kind=${one.kind}`}
                preventScrollReset
                aria-current={one.kind === kind ? "true" : undefined}
                className="inline-flex min-h-11 items-center rounded-full border border-line bg-card px-4 text-small font-semibold hover:border-edge aria-[current]:border-leaf aria-[current]:bg-signal-soft"
              >
                {one.label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {plans.length > 0 ? (
        <ul aria-label="Sugestões de planos" className="flex flex-col gap-3">
          {plans.map((plan, index) => (
            <Card key={plan.name} as="li" className="flex flex-col items-start gap-3 p-5">
              <div className="flex w-full flex-wrap items-baseline justify-between gap-x-4">
                <h2 className="text-heading">{plan.name}</h2>
                <p>
                  <Money cents={plan.amountCents} />{" "}
                  <span className="text-small text-muted">{intervalLabel("monthly")}</span>
                </p>
              </div>
              <p className="text-muted">{plan.description}</p>
              <BenefitList benefits={plan.benefits} />
              <ButtonLink to={`?kind=${kind ?? ""}&suggestion=${index + 1}`} variant="outline">
                Usar este plano <span className="sr-only">{plan.name}</span>
              </ButtonLink>
            </Card>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
