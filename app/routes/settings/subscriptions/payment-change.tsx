import { Form, Link, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { TaxIdField } from "#app/components/checkout/payer/tax-id-field.tsx";
import { paidByLabel } from "#app/components/payments/card-labels.ts";
import { cardLabel } from "#app/domain/billing/rules/cards.ts";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import { methodTexts } from "#app/components/payments/method-words.ts";
import { NextPrice } from "#app/components/subscriptions/next-price.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { payableSavedCards } from "#app/domain/billing/details/queries.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import {
  isMethodOffered,
  acquirerCardFieldUrl,
  acceptsSavedCards,
} from "#app/domain/payments/providers/rules/providers.ts";
import { chosenMethodSchema } from "#app/domain/payments/schema/forms.ts";
import { savedCardChoice } from "#app/domain/payments/rules/choices.ts";
import { formatMoney } from "#app/domain/money.ts";
import {
  paymentMethods,
  renewsByCode,
  renewsBySavedMethod,
} from "#app/domain/payments/methods/rules.ts";
import { methodsForPrice, MINIMUM_CARD_CENTS } from "#app/domain/plans/rules.ts";
import { changeRenewalMethod } from "#app/domain/subscriptions/payment-methods/commands/change-method.server.ts";
import { subscriptionPayingNext } from "#app/domain/subscriptions/overview/queries/next-payment.server.ts";
import { isPaymentDue, canChangeMethod, isOnTrial } from "#app/domain/subscriptions/rules.ts";
import { trialMethodConsentText } from "#app/domain/subscriptions/trials/rules/trial.ts";
import { formatDay } from "#app/domain/time.ts";
import { submitAsPayer } from "#app/http/checkout/pay.server.ts";
import { methodsNeedingTaxId } from "#app/http/checkout/payment.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { withReturnPath } from "#app/lib/own-path.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/payment-change.ts";

export const meta: Route.MetaFunction = () => [{ title: "Trocar a forma de pagamento · Coreto" }];

/** `amountCents` is the amount that the page showed. */
const changeSchema = z.object({
  method: chosenMethodSchema,
  amountCents: z.coerce.number().int().optional(),
});

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { id: personId } = context.get(memberContext);
  const [subscriptionRow, cards] = await Promise.all([
    subscriptionPayingNext(ctx, { fanId: personId, subscriptionId: params.id }),
    payableSavedCards(ctx, { personId }),
  ]);
  const subscription = foundOr404(subscriptionRow, "Não encontramos esta assinatura.");
  if (!canChangeMethod(subscription))
    throw redirect(`/settings/subscriptions/${subscription.id}/payment-method`);
  const {
    id,
    creatorName,
    method,
    currentPeriodEndsAt,
    savedMethodId,
    recurringPixId,
    status,
    next,
  } = subscription;
  const offered = methodsForPrice(next.amountCents).filter((one) => isMethodOffered(one, ctx));
  const savedCards = offered.some(renewsBySavedMethod) ? cards : [];
  return {
    id,
    creatorName,
    method: next.method,
    next,
    recurringPixId,
    paidBy: paidByLabel({ method: next.method, recurringPixId, savedMethodId }, cards),
    /** Where a card is added. Null when one is saved already, or none can be. */
    addCardPath:
      offered.some(renewsBySavedMethod) &&
      savedCards.length === 0 &&
      acceptsSavedCards(ctx.payments) &&
      acquirerCardFieldUrl(ctx.payments) !== null
        ? withReturnPath(
            "/settings/billing/methods/create",
            `/settings/subscriptions/${id}/payment-method/change`,
          )
        : null,
    isDue: isPaymentDue(status),
    /** The consent to the first charge after the trial, with its day. Null without a trial. */
    consent:
      isOnTrial(subscription) && currentPeriodEndsAt !== null
        ? trialMethodConsentText(next.amountCents, currentPeriodEndsAt)
        : null,
    nextChargeAt: currentPeriodEndsAt,
    cards: savedCards.map((card) => ({ value: savedCardChoice(card.id), label: cardLabel(card) })),
    isPixOnly: !methodsForPrice(next.amountCents).some(renewsBySavedMethod),
    codes: offered.filter(renewsByCode),
    taxIdFor: await methodsNeedingTaxId(ctx, { personId }),
    chosen:
      recurringPixId !== null
        ? savedCards.map(({ id: card }) => savedCardChoice(card))[0]
        : ([next.method, method].find(renewsByCode) ??
          (savedMethodId === null ? undefined : savedCardChoice(savedMethodId))),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const [ctx, member] = [context.get(domainContext), context.get(memberContext)];
  return await submitAsPayer(
    request,
    { ctx, member },
    changeSchema,
    async ({ method, amountCents }) => {
      const { chargeId } = await changeRenewalMethod(ctx, {
        fanId: member.id,
        subscriptionId: params.id,
        amountCents,
        ...method,
      });
      const charge = chargeId === null ? null : await chargeRow(ctx, { chargeId });
      // A charge that waits for its payer continues at the checkout. This page reports a paid or
      // refused one.
      if (charge?.status === "awaiting_payment" || charge?.status === "requires_action")
        return redirect(`/checkout/${charge.id}`, 303);
      if (charge?.status === "failed")
        return await redirectWithToast(
          request,
          `/settings/subscriptions/${params.id}/payment-method/change`,
          { kind: "error", message: "Este cartão também não pagou. Escolha outra forma." },
        );
      if (charge?.status === "created" || charge?.status === "processing")
        return await redirectWithToast(request, `/settings/subscriptions/${params.id}`, {
          kind: "info",
          message: "O banco ainda está respondendo. Não pague de novo: avisamos por e-mail.",
        });
      return await redirectWithToast(request, `/settings/subscriptions/${params.id}`, {
        kind: "success",
        message:
          charge?.status === "succeeded"
            ? "Pago. A sua assinatura está em dia."
            : "Forma de pagamento trocada.",
      });
    },
  );
}

export default function SubscriptionPaymentChange({
  loaderData,
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(actionData);
  const {
    id,
    creatorName,
    next,
    method,
    paidBy,
    recurringPixId,
    addCardPath,
    isPixOnly,
    isDue,
    consent,
    nextChargeAt,
    cards,
    codes,
    chosen,
  } = loaderData;
  const options = [
    ...cards,
    ...codes.map((code) => ({
      value: code,
      label: paymentMethods[code].label,
      hint: methodTexts[code].nextRenewals?.[isDue ? "owed" : "later"],
    })),
  ];
  // The subscription already uses the only method there is.
  const isOnlyWay =
    !isDue &&
    recurringPixId === null &&
    renewsByCode(method) &&
    options.every(({ value }) => value === method);
  return (
    <>
      <PageHeader
        title={isDue ? "Pagar agora" : "Trocar a forma de pagamento"}
        lead={`${next.planName}, de ${creatorName}`}
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="group/pay flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <input type="hidden" name="amountCents" value={next.amountCents} />
          <DetailList
            details={[
              { label: "Como você paga", value: paidBy },
              { label: "Quanto", value: <NextPrice {...next} /> },
              ...(nextChargeAt
                ? [
                    {
                      label: isDue ? "Em atraso desde" : "Próxima cobrança",
                      value: formatDay(nextChargeAt),
                    },
                  ]
                : []),
            ]}
          />
          {recurringPixId === null ? null : (
            <p>
              Ao trocar, a autorização do Pix Automático é encerrada no seu banco. Um débito que já
              está lá pode ser retirado até as 22h da véspera.
            </p>
          )}
          {isOnlyWay ? (
            <p>
              {isPixOnly
                ? `Abaixo de ${formatMoney(MINIMUM_CARD_CENTS)} só dá para pagar com Pix: não há outra forma para trocar.`
                : addCardPath === null
                  ? "Agora só dá para pagar com Pix: não há outra forma para trocar."
                  : "Você ainda não guardou nenhum cartão. Guarde um e volte para escolher."}
            </p>
          ) : (
            <Choices
              legend={isDue ? "Pagar agora com" : "Próximas cobranças com"}
              name="method"
              options={options}
              defaultValue={actionData?.values.method ?? chosen}
              error={actionData?.errors.method}
            />
          )}
          {addCardPath === null || isOnlyWay ? null : (
            <p>
              Para pagar com cartão,{" "}
              <Link to={addCardPath} className="font-semibold underline underline-offset-3">
                guarde um cartão
              </Link>
              .
            </p>
          )}
          {isOnlyWay ? null : <TaxIdField methods={loaderData.taxIdFor} problem={actionData} />}
          <div className="flex flex-wrap gap-2">
            {isOnlyWay && addCardPath !== null ? (
              <ButtonLink to={addCardPath}>Guardar um cartão</ButtonLink>
            ) : null}
            {isOnlyWay ? null : (
              <Button disabled={isBusy}>{isDue ? "Pagar agora" : (consent ?? "Trocar")}</Button>
            )}
            <ButtonLink to={`/settings/subscriptions/${id}`} variant="outline">
              Voltar para a assinatura
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
