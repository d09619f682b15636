import { redirect } from "react-router";
import { AutomaticTerms } from "#app/components/checkout/automatic-terms.tsx";
import { methodWord } from "#app/components/payments/charge-words.ts";
import { Facts } from "#app/components/payments/facts.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { intervalLabel } from "#app/domain/plans/schema.ts";
import { subscriptionOf } from "#app/domain/subscriptions/queries.server.ts";
import { automaticOffer } from "#app/domain/subscriptions/queries/automatic-offer.server.ts";
import { automaticOf } from "#app/domain/subscriptions/queries/automatic.server.ts";
import { debitDayOf, isAutomaticOffered, mayTakeAutomatic } from "#app/domain/subscriptions/rules/automatic.ts";
import { mayCancel, mayChangeMethod } from "#app/domain/subscriptions/rules.ts";
import { GRACE_DAYS, PIX_RENEWAL_LEAD_DAYS } from "#app/domain/subscriptions/rules/calendar.ts";
import { formatDay, instantOfIsoDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { found } from "#app/http/refusal.ts";
import type { Route } from "./+types/subscription-payment-method.ts";

export const meta: Route.MetaFunction = () => [{ title: "Forma de pagamento · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const mine = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  const subscription = found(await subscriptionOf(ctx, mine), "Não encontramos esta assinatura.");
  if (subscription.compEndsAt !== null) throw redirect(`/settings/subscriptions/${subscription.id}`);
  const { authorisation } = await automaticOf(ctx, mine);
  // What was authorised may not be for what is paid now.
  const isOutgrown = authorisation !== null && (await automaticOffer(ctx, mine)) !== null;
  return { ...subscription, authorisation, isOutgrown, mayChange: mayChangeMethod(subscription), mayAutomate: authorisation === null && isAutomaticOffered(ctx) && mayTakeAutomatic(subscription) };
}

const AUTOMATIC = `O seu banco debita cada renovação sozinho, na véspera. Se faltar saldo, ele tenta de novo e o acesso continua por ${GRACE_DAYS} dias; você também pode pagar com um código.`;

const EXPLANATIONS = {
  pix: `A cada renovação mandamos um código Pix ${PIX_RENEWAL_LEAD_DAYS} dias antes. Nada sai da sua conta sozinho: se não pagar, você ainda tem ${GRACE_DAYS} dias de acesso e a assinatura termina.`,
  card: "A renovação é cobrada no mesmo cartão. O número dele fica só com quem processa o pagamento; o Coreto guarda apenas uma referência.",
};

const WITHOUT_CARD = "Nada sai da sua conta sozinho. Se houver um código Pix, ele chega antes do fim dos dias grátis; sem o pagamento, eles só terminam.";

export default function SubscriptionPaymentMethod({ loaderData: subscription }: Route.ComponentProps) {
  const { id, method, currentPeriodEndsAt, status, authorisation, isOutgrown, mayAutomate, mayChange } = subscription;
  const renews = mayCancel(status);
  return (
    <>
      <PageHeader title="Forma de pagamento" lead={`${subscription.planName}, de ${subscription.creatorName}`} />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <Facts
          facts={[
            { label: "Como você paga", value: methodWord(method, subscription.recurringPixId) },
            {
              label: "Quanto",
              value: (
                <>
                  <Money cents={subscription.amountCents} /> {intervalLabel(subscription.interval)}
                </>
              ),
            },
            ...(renews && currentPeriodEndsAt ? [{ label: "Próxima cobrança", value: formatDay(currentPeriodEndsAt) }] : []),
          ]}
        />
        <p className="text-muted">{authorisation ? AUTOMATIC : status === "trialing" && subscription.savedMethodId === null ? WITHOUT_CARD : EXPLANATIONS[method]}</p>
        {authorisation && currentPeriodEndsAt ? <AutomaticTerms {...authorisation} todayCents={null} debitOn={formatDay(instantOfIsoDay(debitDayOf(currentPeriodEndsAt)))} /> : null}
        {isOutgrown ? (
          <>
            <p>O banco só debita o que você autorizou, e o preço mudou. Autorize o novo valor para as cobranças seguirem sozinhas.</p>
            <ButtonLink to={`/settings/subscriptions/${id}/payment-method/automatic`} className="self-start">
              Autorizar o novo valor
            </ButtonLink>
          </>
        ) : null}
        {authorisation || mayAutomate ? (
          <ButtonLink to={`/settings/subscriptions/${id}/payment-method/automatic${authorisation ? "/end" : ""}`} variant={authorisation ? "outline" : "primary"} className="self-start">
            {authorisation ? "Encerrar autorização" : "Passar para o Pix Automático"}
          </ButtonLink>
        ) : null}
        {mayChange ? (
          <ButtonLink to={`/settings/subscriptions/${id}/payment-method/change`} variant="outline" className="self-start">
            Trocar a forma de pagamento
          </ButtonLink>
        ) : null}
        <ButtonLink to={`/settings/subscriptions/${id}`} variant="outline" className="self-start">
          Voltar para a assinatura
        </ButtonLink>
      </Card>
    </>
  );
}
