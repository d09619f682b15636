import { data } from "react-router";
import { planChangeSummary } from "#app/components/subscriptions/plan-change.tsx";
import { PlanChangeObstacle } from "#app/components/subscriptions/plan-change-notes.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { priceLabel } from "#app/domain/plans/rules/intervals.ts";
import { planChangeProblems } from "#app/domain/subscriptions/plan-changes/errors.ts";
import { planChangeOptions } from "#app/domain/subscriptions/plan-changes/queries/quote.server.ts";
import { originPostHeaders } from "#app/http/checkout/origin-post.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/plans.ts";

export const meta: Route.MetaFunction = () => [{ title: "Mudar de plano · Coreto" }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { subscriptionSnapshot, problem, options } = foundOr404(
    await planChangeOptions(context.get(domainContext), {
      fanId: context.get(memberContext).id,
      subscriptionId: params.id,
    }),
    "Não encontramos esta assinatura.",
  );
  const headers = originPostHeaders(request.url);
  const shown = {
    id: subscriptionSnapshot.subscription.id,
    planName: subscriptionSnapshot.plan.name,
    price: priceLabel(subscriptionSnapshot.subscription),
    creatorName: subscriptionSnapshot.creatorName,
    creatorUsername: subscriptionSnapshot.creatorUsername,
    problem: problem && planChangeProblems[problem],
    options: options.map(({ plan: { name, benefits }, price, quote, isFull, isChosen }) => ({
      priceId: price.id,
      name,
      price: priceLabel(price),
      benefits,
      isFull,
      isChosen,
      inShort: planChangeSummary({ quote }),
    })),
  };
  return data(shown, headers && { headers });
}

type Option = Route.ComponentProps["loaderData"]["options"][number];

export default function SubscriptionPlans({
  loaderData: { id, planName, price, creatorName, creatorUsername, problem, options },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Mudar de plano"
        lead={`Hoje é ${planName}, de ${creatorName}, por ${price}. Nada muda até você confirmar.`}
      />
      {problem ? <PlanChangeObstacle id={id} problem={problem} /> : null}
      {problem ? null : (
        <Card className="flex flex-col gap-5 p-5 sm:p-6">
          {options.length === 0 ? <p>{creatorName} não tem outros planos à venda agora.</p> : null}
          <ul className="flex flex-col divide-y divide-line">
            {options.map((option) => (
              <li
                key={option.priceId}
                className="flex flex-wrap items-center justify-between gap-3 py-4 first:pt-0 last:pb-0"
              >
                <PlanText {...option} />
                <Way {...option} id={id} />
              </li>
            ))}
          </ul>
          <ButtonLink
            to={
              options.length === 0 ? `/space/${creatorUsername}` : `/settings/subscriptions/${id}`
            }
            variant="outline"
            className="self-start"
          >
            {options.length === 0 ? "Ver a página" : `Continuar em ${planName}`}
          </ButtonLink>
        </Card>
      )}
    </>
  );
}

function PlanText({ name, price, benefits, inShort, isFull }: Option) {
  return (
    <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1">
      <p className="font-semibold wrap-anywhere">
        {name}, {price}
      </p>
      {benefits.length > 0 ? (
        <p className="text-small text-muted wrap-anywhere">{benefits.join(" · ")}</p>
      ) : null}
      {isFull ? null : <p className="text-small">{inShort}</p>}
    </div>
  );
}

function Way({ id, priceId, name, price, isFull, isChosen }: Option & { id: string }) {
  if (isFull) return <p className="text-small font-semibold text-muted">Sem lugares agora</p>;
  if (isChosen) {
    return (
      <ButtonLink to={`/settings/subscriptions/${id}/plan/undo`} size="sm" variant="outline">
        Marcado · desfazer
      </ButtonLink>
    );
  }
  return (
    <ButtonLink
      to={`/settings/subscriptions/${id}/plan/${priceId}`}
      size="sm"
      aria-label={`Mudar para ${name}, ${price}`}
    >
      Mudar
    </ButtonLink>
  );
}
