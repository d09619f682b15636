import { redirect } from "react-router";
import { MandateTerms } from "#app/components/checkout/pix/mandate-terms.tsx";
import { paidByLabel } from "#app/components/payments/card-labels.ts";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import { methodTexts } from "#app/components/payments/method-words.ts";
import { NextPrice } from "#app/components/subscriptions/next-price.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { savedCards } from "#app/domain/billing/details/queries.server.ts";
import { pixMandateOffer } from "#app/domain/subscriptions/pix-mandates/queries/mandate-offer.server.ts";
import { pixMandateOf } from "#app/domain/subscriptions/pix-mandates/queries/mandates.server.ts";
import { subscriptionPayingNext } from "#app/domain/subscriptions/overview/queries/next-payment.server.ts";
import {
  nextChargeAt,
  scheduledDebitDay,
  isPixMandateOffered,
  canMoveToPixMandate,
} from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { isPaymentDue, canCancel, canChangeMethod } from "#app/domain/subscriptions/rules.ts";
import { GRACE_DAYS } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import { formatDay, instantOfIsoDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/payment-method.ts";

export const meta: Route.MetaFunction = () => [{ title: "Forma de pagamento · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const reference = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  const subscription = foundOr404(
    await subscriptionPayingNext(ctx, reference),
    "Não encontramos esta assinatura.",
  );
  // The subscriber does not pay for a complimentary or gifted subscription.
  if (subscription.compEndsAt !== null || subscription.giftedBy !== null)
    throw redirect(`/settings/subscriptions/${subscription.id}`);
  const [{ mandate }, cards] = await Promise.all([
    pixMandateOf(ctx, reference),
    subscription.savedMethodId === null ? [] : savedCards(ctx, { personId: reference.fanId }),
  ]);
  // The existing mandate may not cover the present price.
  const isOutgrown = mandate !== null && (await pixMandateOffer(ctx, reference)) !== null;
  const renews = canCancel(subscription.status) || subscription.status === "upcoming";
  const paidBy = paidByLabel(
    renews ? { ...subscription, method: subscription.next.method } : subscription,
    cards,
  );
  return {
    ...subscription,
    renews,
    paidBy,
    mandate,
    isOutgrown,
    mayChange: canChangeMethod(subscription),
    mayAutomate: mandate === null && isPixMandateOffered(ctx) && canMoveToPixMandate(subscription),
  };
}

const AUTOMATIC = `O seu banco debita cada renovação sozinho, na véspera. Se faltar saldo, ele tenta de novo e o acesso continua por ${GRACE_DAYS} dias; você também pode pagar com um código.`;

const WITHOUT_CARD =
  "Nada sai da sua conta sozinho. Se houver um código Pix, ele chega antes do fim dos dias grátis; sem o pagamento, eles só terminam.";

export default function SubscriptionPaymentMethod({
  loaderData: subscription,
}: Route.ComponentProps) {
  const {
    id,
    next,
    currentPeriodEndsAt,
    status,
    mandate,
    isOutgrown,
    mayAutomate,
    mayChange,
    renews,
    paidBy,
  } = subscription;
  const { planName, method } = renews ? next : subscription;
  return (
    <>
      <PageHeader title="Forma de pagamento" lead={`${planName}, de ${subscription.creatorName}`} />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <DetailList
          details={[
            { label: "Como você paga", value: paidBy },
            {
              label: "Quanto",
              value: renews ? (
                <NextPrice {...next} />
              ) : (
                <NextPrice {...subscription} priceCents={subscription.amountCents} />
              ),
            },
            ...(renews && currentPeriodEndsAt
              ? [
                  {
                    label: isPaymentDue(status) ? "Em atraso desde" : "Próxima cobrança",
                    value: formatDay(
                      isPaymentDue(status)
                        ? currentPeriodEndsAt
                        : nextChargeAt(currentPeriodEndsAt, subscription),
                    ),
                  },
                ]
              : []),
          ]}
        />
        <p className="text-muted">
          {mandate
            ? AUTOMATIC
            : status === "trialing" && subscription.savedMethodId === null
              ? WITHOUT_CARD
              : methodTexts[method].renewal}
        </p>
        {mandate && currentPeriodEndsAt ? (
          <MandateTerms
            {...mandate}
            todayCents={null}
            debitOn={formatDay(instantOfIsoDay(scheduledDebitDay(currentPeriodEndsAt)))}
          />
        ) : null}
        {isOutgrown ? (
          <p>
            O banco só debita o que você autorizou, e o preço mudou. Autorize o novo valor para as
            cobranças seguirem sozinhas.
          </p>
        ) : null}
        <div className="flex flex-wrap gap-2">
          {isOutgrown ? (
            <ButtonLink to={`/settings/subscriptions/${id}/payment-method/automatic`}>
              Autorizar o novo valor
            </ButtonLink>
          ) : null}
          {mandate || mayAutomate ? (
            <ButtonLink
              to={`/settings/subscriptions/${id}/payment-method/automatic${mandate ? "/end" : ""}`}
              variant={mandate ? "outline" : "primary"}
            >
              {mandate ? "Encerrar autorização" : "Passar para o Pix Automático"}
            </ButtonLink>
          ) : null}
          {mayChange ? (
            <ButtonLink
              to={`/settings/subscriptions/${id}/payment-method/change`}
              variant="outline"
            >
              Trocar a forma de pagamento
            </ButtonLink>
          ) : null}
          <ButtonLink to={`/settings/subscriptions/${id}`} variant="outline">
            Voltar para a assinatura
          </ButtonLink>
        </div>
      </Card>
    </>
  );
}
