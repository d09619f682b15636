import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { priceLabel } from "#app/domain/plans/rules/intervals.ts";
import { cancelScheduledPlanChange } from "#app/domain/subscriptions/plan-changes/commands/schedule-change.server.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { planChangeLines } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/plan-undo.ts";

export const meta: Route.MetaFunction = () => [{ title: "Desfazer a mudança de plano · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { id, planName, creatorName, amountCents, interval } = foundOr404(
    await fanSubscription(ctx, { fanId: context.get(memberContext).id, subscriptionId: params.id }),
    "Não encontramos esta assinatura.",
  );
  const scheduledChange = (await planChangeLines(ctx, { subscriptionId: id })).find(
    ({ state }) => state === "scheduled",
  );
  if (!scheduledChange) throw redirect(`/settings/subscriptions/${id}`);
  return {
    id,
    planName,
    creatorName,
    price: priceLabel({ amountCents, interval }),
    toPlanName: scheduledChange.toPlanName,
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, z.object({}), async () => {
    await cancelScheduledPlanChange(context.get(domainContext), {
      fanId: context.get(memberContext).id,
      subscriptionId: params.id,
    });
    return await redirectWithToast(request, `/settings/subscriptions/${params.id}`, {
      kind: "success",
      message: "Pronto: a assinatura continua no plano de hoje.",
    });
  });
}

export default function SubscriptionPlanUndo({
  loaderData: { id, planName, creatorName, price, toPlanName },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title={`Continuar em ${planName}?`}
        lead={`Assinatura da página de ${creatorName}.`}
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <p>
            A mudança para {toPlanName} deixa de valer, e a assinatura segue como está: {price}.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy}>Continuar em {planName}</Button>
            <ButtonLink to={`/settings/subscriptions/${id}`} variant="outline">
              Deixar marcada
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
