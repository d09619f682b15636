import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { isMethodOffered } from "#app/domain/payments/rules.ts";
import { intervalLabel } from "#app/domain/plans/schema.ts";
import { reactivateSubscription } from "#app/domain/subscriptions/commands/cancel.server.ts";
import { subscriptionOf } from "#app/domain/subscriptions/queries.server.ts";
import { mayReactivate, methodToGoOn } from "#app/domain/subscriptions/rules.ts";
import { PIX_RENEWAL_LEAD_DAYS } from "#app/domain/subscriptions/rules/calendar.ts";
import { formatDay } from "#app/domain/time.ts";
import { asksTaxId } from "#app/http/checkout/payment.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { found } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/subscription-reactivation.ts";

export const meta: Route.MetaFunction = () => [{ title: "Reativar assinatura · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const now = ctx.now();
  const mine = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  const subscription = found(await subscriptionOf(ctx, mine), "Não encontramos esta assinatura.");
  if (!mayReactivate(subscription, now)) throw redirect(`/settings/subscriptions/${subscription.id}`);
  const { id, planName, creatorName, amountCents, interval, currentPeriodEndsAt } = subscription;
  const method = methodToGoOn(subscription, { isPixOffered: isMethodOffered("pix", ctx) });
  const isDueNow = currentPeriodEndsAt === null || currentPeriodEndsAt <= now;
  return { id, planName, creatorName, amountCents, interval, method, isMethodMoved: method !== subscription.method, needsTaxId: method === "pix" && (await asksTaxId(ctx, { personId: mine.fanId })), nextChargeAt: isDueNow ? null : currentPeriodEndsAt };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await submitted(request, z.object({}), async () => {
    await reactivateSubscription(context.get(domainContext), { fanId: context.get(memberContext).id, subscriptionId: params.id });
    return await redirectWithToast(request, `/settings/subscriptions/${params.id}`, { kind: "success", message: "Pronto: a sua assinatura continua." });
  });
}

export default function SubscriptionReactivation({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const { id, planName, creatorName, amountCents, interval, method, isMethodMoved, nextChargeAt } = loaderData;
  return (
    <>
      <PageHeader title={`Reativar ${planName}?`} lead={`Assinatura da página de ${creatorName}.`} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <p>
            Tudo continua como antes: <Money cents={amountCents} className="font-semibold" /> {intervalLabel(interval)},{" "}
            {nextChargeAt === null ? "e a cobrança que estava em atraso é feita agora" : `e a próxima cobrança é em ${formatDay(nextChargeAt)}`}
            {method === "card" ? ", no mesmo cartão." : nextChargeAt === null ? ", por Pix." : `, por Pix: mandamos o código ${PIX_RENEWAL_LEAD_DAYS} dias antes.`}
          </p>
          {isMethodMoved ? <p className="text-muted">O cartão de antes não está mais guardado; por isso ela continua por Pix.</p> : null}
          {loaderData.needsTaxId ? <p>Antes, informe o seu CPF ou CNPJ nos dados de cobrança: sem ele o banco não faz a cobrança.</p> : null}
          <div className="flex flex-wrap gap-2">
            {loaderData.needsTaxId ? <ButtonLink to="/settings/billing/details">Informar o CPF ou CNPJ</ButtonLink> : <Button disabled={isBusy}>Reativar</Button>}
            <ButtonLink to={`/settings/subscriptions/${id}`} variant="outline">
              Deixar cancelada
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
