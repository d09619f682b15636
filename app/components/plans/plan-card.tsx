import { seatsLeftLabel } from "#app/domain/plans/rules.ts";
import { Check } from "lucide-react";
import { GiftLink } from "#app/components/gifts/gift-link.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { intervalLabel } from "#app/domain/plans/schema.ts";
import { vacationLabel } from "#app/domain/plans/rules/vacations.ts";
import { trialOfferText } from "#app/domain/subscriptions/trials/rules/trial.ts";
import type { Plan } from "#app/domain/plans/schema.ts";

type PlanCardProps = {
  plan: Plan;
  /** The most popular plan. */
  featured?: boolean;
  /**
   * Viewer's relation to the plan. "none": not subscribed. "this": subscribed to it. "other":
   * subscribed to another plan of the creator. "own": may edit it. "inside": acts for the page
   * without the right to edit plans.
   */
  standing?: "none" | "this" | "other" | "own" | "inside";
  signedIn?: boolean;
  /** The viewer's subscription to the same creator. */
  subscriptionId?: string | null;
  /** End of the creator's vacation: nothing is sold until then. */
  awayUntil?: number | null;
};

/** Card of a plan: name, price, benefits and one button. */
export function PlanCard({
  plan,
  featured = false,
  standing = "none",
  signedIn = false,
  subscriptionId = null,
  awayUntil = null,
}: PlanCardProps) {
  const [price, ...others] = plan.prices;
  if (!price) return null;
  const isFull = plan.seatsLimit !== null && plan.seatsTaken >= plan.seatsLimit;
  return (
    <li
      className={`relative flex snap-start flex-col gap-4 rounded-card bg-card p-6 ${featured ? "border-2 border-ink" : "border border-line"}`}
    >
      {featured ? (
        <p className="absolute -top-3 left-6 rounded-full bg-ink px-3 py-1 text-caption font-semibold text-paper">
          Mais escolhido
        </p>
      ) : null}
      <div className="flex flex-col gap-1">
        <h3 className="text-heading">{plan.name}</h3>
        {plan.description ? <p className="text-small text-muted">{plan.description}</p> : null}
      </div>
      <div className="flex flex-col">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <Money cents={price.amountCents} size="display" />
          <span className="text-small text-muted">{intervalLabel(price.interval)}</span>
        </p>
        {plan.trialDays > 0 ? (
          <p className="text-small">
            <span className="font-semibold text-leaf">
              {trialOfferText(plan.trialDays, price.amountCents, price.interval)}.
            </span>{" "}
            <span className="text-muted">Para quem nunca assinou esta página.</span>
          </p>
        ) : null}
        {others.map((other) => (
          <p key={other.id} className="text-small text-muted">
            ou <Money cents={other.amountCents} /> {intervalLabel(other.interval)}
          </p>
        ))}
      </div>
      <ul className="flex flex-col gap-2">
        {plan.benefits.map((benefit) => (
          <Benefit key={benefit} text={benefit} />
        ))}
        {plan.seatsLimit !== null ? (
          <Benefit text={seatsLeftLabel(plan.seatsTaken, plan.seatsLimit)} />
        ) : null}
      </ul>
      <div className="mt-auto pt-2">
        <PlanAction
          plan={plan}
          featured={featured}
          standing={standing}
          isFull={isFull}
          signedIn={signedIn}
          subscriptionId={subscriptionId}
          awayUntil={awayUntil}
        />
        {isFull || awayUntil !== null || standing === "own" || standing === "inside" ? null : (
          <GiftLink planId={plan.id} planName={plan.name} reloadDocument={!signedIn} />
        )}
      </div>
    </li>
  );
}

function Benefit({ text }: { text: string }) {
  return (
    <li className="flex items-start gap-3">
      <Check aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-leaf" />
      <span>{text}</span>
    </li>
  );
}

type PlanActionProps = Required<
  Pick<
    PlanCardProps,
    "plan" | "featured" | "standing" | "signedIn" | "subscriptionId" | "awayUntil"
  >
> & { isFull: boolean };

function PlanAction({
  plan,
  featured,
  standing,
  isFull,
  signedIn,
  subscriptionId,
  awayUntil,
}: PlanActionProps) {
  if (standing === "this") {
    return (
      <ButtonLink
        to={`/settings/subscriptions/${subscriptionId ?? ""}`}
        variant="outline"
        className="w-full"
      >
        <Check aria-hidden="true" className="size-5 text-leaf" />
        Assinante
      </ButtonLink>
    );
  }
  if (standing === "inside") return null;
  if (standing === "own") {
    return (
      <ButtonLink to={`/plan/${plan.id}/update`} variant="outline" className="w-full">
        Editar plano
      </ButtonLink>
    );
  }
  if (awayUntil !== null)
    return (
      <p className="flex min-h-11 items-center justify-center rounded-full bg-sand px-4 text-small font-semibold text-muted">
        {vacationLabel(awayUntil)}
      </p>
    );
  if (isFull)
    return (
      <p className="flex min-h-11 items-center justify-center rounded-full bg-sand px-4 text-small font-semibold text-muted">
        Sem lugares agora
      </p>
    );
  if (standing === "other") {
    const [price, ...others] = plan.prices;
    return (
      <ButtonLink
        to={`/settings/subscriptions/${subscriptionId ?? ""}/plan${others.length === 0 && price ? `/${price.id}` : ""}`}
        variant="outline"
        className="w-full"
        aria-label={`Mudar para ${plan.name}`}
      >
        Mudar para este plano
      </ButtonLink>
    );
  }
  return (
    <ButtonLink
      to={`/checkout?plan=${plan.id}`}
      reloadDocument={!signedIn}
      variant={featured ? "primary" : "outline"}
      className="w-full"
      aria-label={`Assinar ${plan.name}`}
    >
      Assinar
    </ButtonLink>
  );
}
