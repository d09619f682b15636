import { seatsLeftLabel } from "#app/domain/plans/rules.ts";
import { Check } from "lucide-react";
import { GiftLink } from "#app/components/gifts/gift-link.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { planWayLabel, planWayPath } from "#app/domain/access/rules/plan-way.ts";
import type { PlanWay } from "#app/domain/access/rules/plan-way.ts";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import { vacationLabel } from "#app/domain/plans/rules/vacations.ts";
import { trialOfferText } from "#app/domain/subscriptions/trials/rules/trial.ts";
import type { Plan } from "#app/domain/plans/schema.ts";
import { withLinkMark } from "#app/lib/link-mark.ts";

const SUBSCRIBE: PlanWay = { kind: "subscribe" };

type PlanCardProps = {
  plan: Plan;
  /** The most popular plan. */
  featured?: boolean;
  /**
   * How the viewer gets the plan. "edit": for its seller. "look": for its team, who may not edit
   * it.
   */
  way?: PlanWay | "edit" | "look";
  /** The viewer subscribes to this plan. */
  isTheirs?: boolean;
  signedIn?: boolean;
  /** End of the creator's vacation, during which nothing is sold. Null without one. */
  awayUntil?: number | null;
  /** The creator's link that led here. */
  link?: string | null;
};

/** Card of a plan: name, price, benefits and one button. */
export function PlanCard({
  plan,
  featured = false,
  way = SUBSCRIBE,
  isTheirs = false,
  signedIn = false,
  awayUntil = null,
  link = null,
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
          way={way}
          isTheirs={isTheirs}
          isFull={isFull}
          signedIn={signedIn}
          awayUntil={awayUntil}
          link={link}
        />
        {isFull || awayUntil !== null || typeof way === "string" ? null : (
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
  Pick<PlanCardProps, "plan" | "featured" | "way" | "isTheirs" | "signedIn" | "awayUntil" | "link">
> & { isFull: boolean };

function PlanAction({
  plan,
  featured,
  way,
  isTheirs,
  isFull,
  signedIn,
  awayUntil,
  link,
}: PlanActionProps) {
  if (way === "look") return null;
  if (way === "edit")
    return (
      <ButtonLink to={`/plan/${plan.id}/update`} variant="outline" className="w-full">
        Editar plano
      </ButtonLink>
    );
  const [price, ...others] = plan.prices;
  const priceId = others.length === 0 ? (price?.id ?? null) : null;
  const to = planWayPath(way, { planId: plan.id, priceId });
  if (way.kind !== "subscribe" && way.kind !== "change_plan")
    return <OwnSubscriptionLink to={to} way={way} planName={plan.name} isTheirs={isTheirs} />;
  if (awayUntil !== null) return <NotSoldNow text={vacationLabel(awayUntil)} />;
  if (isFull) return <NotSoldNow text="Sem lugares agora" />;
  const isChange = way.kind === "change_plan";
  return (
    <ButtonLink
      to={isChange ? to : withLinkMark(to, link)}
      reloadDocument={!signedIn}
      variant={featured && !isChange ? "primary" : "outline"}
      className="w-full"
      aria-label={isChange ? `Mudar para ${plan.name}` : `Assinar ${plan.name}`}
    >
      {isChange ? "Mudar para este plano" : "Assinar"}
    </ButtonLink>
  );
}

function OwnSubscriptionLink({
  to,
  way,
  planName,
  isTheirs,
}: {
  to: string;
  way: PlanWay;
  planName: string;
  isTheirs: boolean;
}) {
  const isSettled = way.kind === "none";
  const label = planWayLabel(way);
  return (
    <ButtonLink
      to={to}
      variant={isTheirs && !isSettled ? "primary" : "outline"}
      className="w-full"
      aria-label={isSettled ? undefined : `${label ?? ""}: ${planName}`}
    >
      {isSettled && isTheirs ? (
        <>
          <Check aria-hidden="true" className="size-5 text-leaf" />
          Assinante
        </>
      ) : (
        label
      )}
    </ButtonLink>
  );
}

function NotSoldNow({ text }: { text: string }) {
  return (
    <p className="flex min-h-11 items-center justify-center rounded-full bg-sand px-4 text-small font-semibold text-muted">
      {text}
    </p>
  );
}
