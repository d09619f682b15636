import { Form, Link, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { TaxIdField } from "#app/components/checkout/tax-id-field.tsx";
import { cardLabel } from "#app/components/payments/card-words.ts";
import { methodWord } from "#app/components/payments/charge-words.ts";
import { Facts } from "#app/components/payments/facts.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/choice.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { payableCardsOf } from "#app/domain/billing/queries/billing.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { isMethodOffered } from "#app/domain/payments/rules.ts";
import { cardFieldUrlOf, takesKeptCards } from "#app/domain/payments/rules/providers.ts";
import { chosenMethodSchema, savedChoice } from "#app/domain/payments/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { methodsFor, MINIMUM_CARD_CENTS } from "#app/domain/plans/rules.ts";
import { intervalLabel } from "#app/domain/plans/schema.ts";
import { changeRenewalMethod } from "#app/domain/subscriptions/commands/change-method.server.ts";
import { subscriptionOf } from "#app/domain/subscriptions/queries.server.ts";
import { mayChangeMethod } from "#app/domain/subscriptions/rules.ts";
import { PIX_RENEWAL_LEAD_DAYS } from "#app/domain/subscriptions/rules/calendar.ts";
import { formatDay } from "#app/domain/time.ts";
import { submittedByPayer } from "#app/http/checkout/pay.server.ts";
import { taxIdAskedFor } from "#app/http/checkout/payment.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { found } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/subscription-payment-change.ts";

export const meta: Route.MetaFunction = () => [{ title: "Trocar a forma de pagamento · Coreto" }];

const changeSchema = z.object({ method: chosenMethodSchema });

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { id: personId } = context.get(memberContext);
  const [known, cards] = await Promise.all([subscriptionOf(ctx, { fanId: personId, subscriptionId: params.id }), payableCardsOf(ctx, { personId })]);
  const subscription = found(known, "Não encontramos esta assinatura.");
  if (!mayChangeMethod(subscription)) throw redirect(`/settings/subscriptions/${subscription.id}/payment-method`);
  const { id, planName, creatorName, amountCents, interval, method, currentPeriodEndsAt, savedMethodId, recurringPixId, status } = subscription;
  const offered = methodsFor(amountCents).filter((one) => isMethodOffered(one, ctx));
  const kept = offered.includes("card") ? cards : [];
  return {
    id,
    planName,
    creatorName,
    amountCents,
    interval,
    method,
    recurringPixId,
    /** Where a card is added; null where one is kept already, or none can be. */
    addCardPath: offered.includes("card") && kept.length === 0 && takesKeptCards(ctx.payments) && cardFieldUrlOf(ctx.payments) !== null ? "/settings/billing/methods/create" : null,
    isDue: status === "past_due" || status === "requires_action",
    nextChargeAt: currentPeriodEndsAt,
    cards: kept.map((card) => ({ value: savedChoice(card.id), label: cardLabel(card) })),
    isPixOnly: !methodsFor(amountCents).includes("card"),
    hasPix: offered.includes("pix"),
    taxIdFor: await taxIdAskedFor(ctx, { personId }),
    chosen: recurringPixId !== null ? kept.map(({ id: card }) => savedChoice(card))[0] : method === "pix" ? "pix" : savedMethodId === null ? undefined : savedChoice(savedMethodId),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const [ctx, member] = [context.get(domainContext), context.get(memberContext)];
  return await submittedByPayer(request, { ctx, member }, changeSchema, async ({ method }) => {
    const { chargeId } = await changeRenewalMethod(ctx, { fanId: member.id, subscriptionId: params.id, ...method });
    const charge = chargeId === null ? null : await chargeRow(ctx, { chargeId });
    // What waits for its payer is paid or confirmed there; what was taken, or refused, is told here.
    if (charge?.status === "awaiting_payment" || charge?.status === "requires_action") return redirect(`/checkout/${charge.id}`, 303);
    if (charge?.status === "failed") return await redirectWithToast(request, `/settings/subscriptions/${params.id}/payment-method/change`, { kind: "error", message: "Este cartão também não pagou. Escolha outra forma." });
    if (charge?.status === "created" || charge?.status === "processing") return await redirectWithToast(request, `/settings/subscriptions/${params.id}`, { kind: "info", message: "O banco ainda está respondendo. Não pague de novo: avisamos por e-mail." });
    return await redirectWithToast(request, `/settings/subscriptions/${params.id}`, { kind: "success", message: charge?.status === "succeeded" ? "Pago. A sua assinatura está em dia." : "Forma de pagamento trocada." });
  });
}

export default function SubscriptionPaymentChange({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(actionData);
  const { id, planName, creatorName, amountCents, interval, method, recurringPixId, addCardPath, isPixOnly, isDue, nextChargeAt, cards, hasPix, chosen } = loaderData;
  const options = [...cards, ...(hasPix ? [{ value: "pix", label: "Pix", hint: isDue ? "Você recebe o código agora." : `Mandamos um código ${PIX_RENEWAL_LEAD_DAYS} dias antes de cada renovação.` }] : [])];
  const isOnlyWay = !isDue && recurringPixId === null && method === "pix" && isPixOnly;
  return (
    <>
      <PageHeader title={isDue ? "Pagar agora" : "Trocar a forma de pagamento"} lead={`${planName}, de ${creatorName}`} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="group/pay flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <Facts
            facts={[
              { label: "Como você paga", value: methodWord(method, recurringPixId) },
              {
                label: "Quanto",
                value: (
                  <>
                    <Money cents={amountCents} /> {intervalLabel(interval)}
                  </>
                ),
              },
              ...(nextChargeAt ? [{ label: isDue ? "Em atraso desde" : "Próxima cobrança", value: formatDay(nextChargeAt) }] : []),
            ]}
          />
          {recurringPixId === null ? null : <p>Ao trocar, a autorização do Pix Automático é encerrada no seu banco. Um débito que já está lá pode ser retirado até as 22h da véspera.</p>}
          {isOnlyWay ? (
            <p>Abaixo de {formatMoney(MINIMUM_CARD_CENTS)} só dá para pagar com Pix: não há outra forma para trocar.</p>
          ) : (
            <Choices legend={isDue ? "Pagar agora com" : "Próximas cobranças com"} name="method" options={options} defaultValue={actionData?.values.method ?? chosen} error={actionData?.errors.method} />
          )}
          {addCardPath === null ? null : (
            <p>
              Para pagar com cartão,{" "}
              <Link to={addCardPath} className="font-semibold underline underline-offset-3">
                guarde um cartão
              </Link>{" "}
              e volte aqui.
            </p>
          )}
          <TaxIdField methods={loaderData.taxIdFor} problem={actionData} />
          <div className="flex flex-wrap gap-2">
            {isOnlyWay ? null : <Button disabled={isBusy}>{isDue ? "Pagar agora" : "Trocar"}</Button>}
            <ButtonLink to={`/settings/subscriptions/${id}`} variant="outline">
              Voltar para a assinatura
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
