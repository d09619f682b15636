import { redirect } from "react-router";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import { resubscribeOption } from "#app/domain/subscriptions/overview/queries/resubscribe.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/resubscribe.ts";

export const meta: Route.MetaFunction = () => [{ title: "Voltar a assinar · Coreto" }];

/**
 * Redirects to the checkout when nothing changed or the subscription was complimentary. Otherwise
 * shows what changed, and the present plans.
 */
export async function loader({ params, context }: Route.LoaderArgs) {
  const reference = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  const again = foundOr404(
    await resubscribeOption(context.get(domainContext), reference),
    "Não encontramos esta assinatura.",
  );
  if (again.kind === "subscribed")
    throw redirect(`/settings/subscriptions/${again.subscriptionId}`);
  if (again.kind === "same" && (again.beforeCents === 0 || again.amountCents === again.beforeCents))
    throw redirect(checkoutOf(again));
  return again;
}

const checkoutOf = ({ planId, interval }: { planId: string; interval: string }) =>
  `/checkout?plan=${planId}&interval=${interval}`;

export default function SubscriptionAgain({ loaderData: again }: Route.ComponentProps) {
  if (again.kind === "same") {
    return (
      <>
        <PageHeader
          title="O preço mudou"
          lead="Quem já assinava ficou com o preço de antes; quem assina agora paga o novo."
        />
        <Card className="flex flex-col gap-5 p-5 sm:p-6">
          <p>
            Antes era <Money cents={again.beforeCents} /> {intervalLabel(again.interval)}. Agora é{" "}
            <Money cents={again.amountCents} className="font-semibold" />{" "}
            {intervalLabel(again.interval)}.
          </p>
          <ButtonLink to={checkoutOf(again)} className="self-start">
            Continuar
          </ButtonLink>
        </Card>
      </>
    );
  }
  const { because, planName, creatorName, creatorUsername, others } = again;
  const why = {
    full: `Os lugares de ${planName} acabaram`,
    interval: `${planName} mudou de período`,
    not_sold: `${planName} não está mais à venda`,
  }[because];
  return (
    <>
      <PageHeader
        title={why}
        lead={
          others.length > 0
            ? `Veja os outros planos de ${creatorName}.`
            : `${creatorName} não tem planos à venda agora.`
        }
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        {others.length > 0 ? (
          <ul className="flex flex-col divide-y divide-line">
            {others.map((plan) => (
              <li
                key={plan.planId}
                className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0"
              >
                <span className="flex flex-col">
                  <span className="font-semibold">{plan.name}</span>
                  <span className="text-small text-muted">
                    <Money cents={plan.amountCents} /> {intervalLabel(plan.interval)}
                  </span>
                </span>
                <ButtonLink to={checkoutOf(plan)} size="sm" aria-label={`Assinar ${plan.name}`}>
                  Assinar
                </ButtonLink>
              </li>
            ))}
          </ul>
        ) : null}
        <ButtonLink to={`/space/${creatorUsername}`} variant="outline" className="self-start">
          Ver a página
        </ButtonLink>
      </Card>
    </>
  );
}
