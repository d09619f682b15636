import { Facts } from "#app/components/payments/facts.tsx";
import type { Fact } from "#app/components/payments/facts.tsx";
import { methodWord } from "#app/components/payments/charge-words.ts";
import { subscriptionTone } from "#app/components/payments/subscription-words.ts";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { intervalLabel } from "#app/domain/plans/schema.ts";
import { subscriptionOf } from "#app/domain/subscriptions/queries.server.ts";
import { isLive, mayRegret } from "#app/domain/subscriptions/rules.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { found } from "#app/http/refusal.ts";
import type { Route } from "./+types/subscription.ts";

export const meta: Route.MetaFunction = () => [{ title: "Assinatura · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const mine = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  const subscription = found(await subscriptionOf(ctx, mine), "Não encontramos esta assinatura.");
  const renews = subscription.status === "active" || subscription.status === "past_due";
  return { ...subscription, renews, isCancelable: renews || mayRegret(subscription, ctx.now()), live: isLive(subscription.status) };
}

type LoaderData = Route.ComponentProps["loaderData"];

export default function Subscription({ loaderData: subscription }: Route.ComponentProps) {
  const { id, creatorName, creatorUsername, planName, live, isCancelable } = subscription;
  return (
    <>
      <PageHeader title={planName}>
        <Badge tone={subscriptionTone(subscription.status)}>{subscription.badge}</Badge>
      </PageHeader>
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <div className="flex items-center gap-3">
          <Avatar name={creatorName} src={subscription.creatorAvatarMediaId ? mediaUrl(subscription.creatorAvatarMediaId, "320") : null} size="lg" />
          <p className="font-semibold">{creatorName}</p>
        </div>
        <Facts facts={factsOf(subscription)} />
        <div className="flex flex-wrap gap-2">
          <ButtonLink to={`/space/${creatorUsername}`}>Ver a página</ButtonLink>
          {live ? (
            <ButtonLink to={`/settings/subscriptions/${id}/payment-method`} variant="outline">
              Forma de pagamento
            </ButtonLink>
          ) : (
            <ButtonLink to={`/checkout?plan=${subscription.planId}&interval=${subscription.interval}`} variant="outline">
              {subscription.status === "incomplete" ? "Pagar" : "Voltar a assinar"}
            </ButtonLink>
          )}
          {isCancelable ? (
            <ButtonLink to={`/settings/subscriptions/${id}/cancellation`} variant="ghost">
              Cancelar assinatura
            </ButtonLink>
          ) : null}
        </div>
      </Card>
    </>
  );
}

function factsOf(subscription: LoaderData): Fact[] {
  const { startedAt, accessUntil, currentPeriodEndsAt, renews } = subscription;
  return [
    {
      label: "Preço",
      value: (
        <>
          <Money cents={subscription.amountCents} /> {intervalLabel(subscription.interval)}
        </>
      ),
    },
    { label: "Pagamento", value: methodWord(subscription.method) },
    ...(startedAt ? [{ label: "Desde", value: formatDay(startedAt) }] : []),
    ...(renews && currentPeriodEndsAt ? [{ label: "Próxima cobrança", value: formatDay(currentPeriodEndsAt) }] : []),
    ...(accessUntil && !renews ? [{ label: "Acesso até", value: formatDay(accessUntil) }] : []),
  ];
}
