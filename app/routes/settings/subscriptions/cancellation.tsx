import { HelpLink } from "#app/components/help/help-link.tsx";
import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { coolingOffBlockedText } from "#app/components/subscriptions/subscription-labels.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { canCancel, canWithdraw } from "#app/domain/subscriptions/rules.ts";
import { accessUntilIfCanceled } from "#app/domain/subscriptions/pauses/rules.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/cancellation.ts";

/**
 * `later` stops the renewal. `now` makes the cooling-off refund (CDC, art. 49): it refunds
 * everything and ends the access.
 */
const cancellationSchema = z.object({
  ending: z.enum(["later", "now"], { error: "Escolha como" }).default("later"),
});

export const meta: Route.MetaFunction = () => [{ title: "Cancelar assinatura · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const reference = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  const subscription = foundOr404(
    await fanSubscription(ctx, reference),
    "Não encontramos esta assinatura.",
  );
  if (subscription.compEndsAt !== null)
    throw redirect(`/settings/subscriptions/${subscription.id}/comp`);
  const renews = canCancel(subscription.status);
  // A disputed charge waits for the decision of its bank.
  const mayEndNow = !subscription.isDisputed && canWithdraw(subscription, ctx.now());
  if (!renews && !mayEndNow) throw redirect(`/settings/subscriptions/${subscription.id}`);
  const { id, planName, creatorName } = subscription;
  return {
    id,
    planName,
    creatorName,
    accessUntil: accessUntilIfCanceled(subscription, ctx.now()),
    renews,
    mayEndNow,
    isUpcoming: subscription.status === "upcoming",
    coolingOffHeld: coolingOffBlockedText(subscription, ctx.now()),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const reference = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  return await handleForm(request, cancellationSchema, async ({ ending }) => {
    if (ending === "now") {
      await requestSubscriptionCoolingOffRefund(ctx, reference);
      return await redirectWithToast(request, `/settings/subscriptions/${params.id}`, {
        kind: "success",
        message: "Assinatura encerrada. Tudo volta para você.",
      });
    }
    await cancelSubscription(ctx, reference);
    return redirect(`/settings/subscriptions/${params.id}/cancellation/reason`, 303);
  });
}

export default function SubscriptionCancellation({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const { id, planName, creatorName, accessUntil, renews, mayEndNow, isUpcoming, coolingOffHeld } =
    loaderData;
  const until = accessUntil ? formatDay(accessUntil) : "o fim do período";
  const later = {
    value: "later",
    label: "Parar de renovar",
    hint: `Você continua vendo tudo até ${until}.`,
  };
  const now = {
    value: "now",
    label: "Desistir e receber tudo de volta",
    hint: isUpcoming
      ? "Ela ainda não começou: devolvemos tudo. O que você ganhou, se ainda vale, continua até o fim."
      : "Você está nos 7 primeiros dias: devolvemos tudo e o acesso termina agora.",
  };
  // A subscription that no longer renews cannot be canceled again.
  const giveUp = renews || isUpcoming ? "Cancelar" : "Desistir";
  return (
    <>
      <PageHeader
        title={giveUp === "Cancelar" ? `Cancelar ${planName}?` : `Desistir de ${planName}?`}
        lead={`Assinatura da página de ${creatorName}.`}
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          {mayEndNow && renews ? (
            <Choices
              legend="Como você prefere"
              name="ending"
              options={[later, now]}
              defaultValue={actionData?.values.ending ?? "later"}
              error={actionData?.errors.ending}
            />
          ) : mayEndNow ? (
            <>
              <input type="hidden" name="ending" value="now" />
              <p>{now.hint}</p>
            </>
          ) : (
            <>
              <p>
                Nada mais é cobrado, e você continua vendo tudo até <strong>{until}</strong>.
              </p>
              {coolingOffHeld === null ? null : (
                <p className="text-small text-muted">{coolingOffHeld}</p>
              )}
            </>
          )}
          <div className="flex flex-wrap gap-2">
            <Button variant="danger" disabled={isBusy}>
              {renews ? "Cancelar assinatura" : `${giveUp} e receber tudo de volta`}
            </Button>
            <ButtonLink to={`/settings/subscriptions/${id}`} variant="outline">
              {renews ? "Continuar assinando" : "Deixar como está"}
            </ButtonLink>
          </div>
        </Form>
      </Card>
      <HelpLink answer="arrependimento">Como funciona a devolução em 7 dias</HelpLink>
    </>
  );
}
