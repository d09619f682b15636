import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { methodTexts } from "#app/components/payments/method-words.ts";
import { NextPrice } from "#app/components/subscriptions/next-price.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { isMethodOffered } from "#app/domain/payments/providers/rules/providers.ts";
import { renewsByCode } from "#app/domain/payments/methods/rules.ts";
import { reactivateSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { subscriptionPayingNext } from "#app/domain/subscriptions/overview/queries/next-payment.server.ts";
import {
  isPeriodOver,
  canReactivate,
  methodAfterReactivation,
} from "#app/domain/subscriptions/rules.ts";
import { formatDay } from "#app/domain/time.ts";
import { needsTaxIdForPix } from "#app/http/checkout/payment.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/reactivation.ts";

export const meta: Route.MetaFunction = () => [{ title: "Reativar assinatura · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const now = ctx.now();
  const reference = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  const subscription = foundOr404(
    await subscriptionPayingNext(ctx, reference),
    "Não encontramos esta assinatura.",
  );
  if (!canReactivate(subscription, now))
    throw redirect(`/settings/subscriptions/${subscription.id}`);
  const { id, creatorName, currentPeriodEndsAt, next } = subscription;
  const renewalMethod = methodAfterReactivation(subscription, {
    isPixOffered: isMethodOffered("pix", ctx),
  });
  const method = renewsByCode(next.method) ? next.method : renewalMethod;
  const isDueNow = currentPeriodEndsAt === null || isPeriodOver(subscription, now);
  return {
    id,
    creatorName,
    next,
    method,
    isMethodMoved: renewalMethod !== subscription.method,
    needsTaxId:
      renewsByCode(method) && (await needsTaxIdForPix(ctx, { personId: reference.fanId })),
    nextChargeAt: isDueNow ? null : currentPeriodEndsAt,
  };
}

/** `amountCents` is the amount that the page showed. */
const reactivationSchema = z.object({ amountCents: z.coerce.number().int().optional() });

export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, reactivationSchema, async ({ amountCents }) => {
    await reactivateSubscription(context.get(domainContext), {
      fanId: context.get(memberContext).id,
      subscriptionId: params.id,
      amountCents,
    });
    return await redirectWithToast(request, `/settings/subscriptions/${params.id}`, {
      kind: "success",
      message: "Pronto: a sua assinatura continua.",
    });
  });
}

export default function SubscriptionReactivation({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const { id, creatorName, next, method, isMethodMoved, nextChargeAt } = loaderData;
  return (
    <>
      <PageHeader
        title={`Reativar ${next.planName}?`}
        lead={`Assinatura da página de ${creatorName}.`}
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <input type="hidden" name="amountCents" value={next.amountCents} />
          <p>
            A assinatura continua: <NextPrice {...next} isStrong />,{" "}
            {nextChargeAt === null
              ? "e a cobrança que estava em atraso é feita agora"
              : `e a próxima cobrança é em ${formatDay(nextChargeAt)}`}
            {`, ${methodTexts[method].reactivated[nextChargeAt === null ? "now" : "later"]}`}
          </p>
          {isMethodMoved ? (
            <p className="text-muted">
              O cartão de antes não está mais guardado; por isso ela continua por Pix.
            </p>
          ) : null}
          {loaderData.needsTaxId ? (
            <p>
              Antes, informe o seu CPF ou CNPJ nos dados de cobrança: sem ele o banco não faz a
              cobrança.
            </p>
          ) : null}
          <div className="flex flex-wrap gap-2">
            {loaderData.needsTaxId ? (
              <ButtonLink to="/settings/billing/details">Informar o CPF ou CNPJ</ButtonLink>
            ) : (
              <Button disabled={isBusy}>Reativar</Button>
            )}
            <ButtonLink to={`/settings/subscriptions/${id}`} variant="outline">
              Deixar cancelada
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
