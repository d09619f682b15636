import { Form, useNavigation } from "react-router";
import { PlanChangeLines } from "#app/components/subscriptions/plan-change.tsx";
import {
  PlanChangeNotes,
  PlanChangeObstacle,
  PlanChangeTerms,
} from "#app/components/subscriptions/plan-change-notes.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { schedulePlanChange } from "#app/domain/subscriptions/plan-changes/commands/schedule-change.server.ts";
import { planChangeScheduleSchema } from "#app/domain/subscriptions/plan-changes/schema.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { planChangeShown } from "./plan-change-view.server.ts";
import type { Route } from "./+types/plan-schedule.ts";

export const meta: Route.MetaFunction = () => [{ title: "Mudar de plano · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  return await planChangeShown(context.get(domainContext), {
    page: "next_period",
    fanId: context.get(memberContext).id,
    subscriptionId: params.id,
    planPriceId: params.priceId,
  });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, planChangeScheduleSchema, async (agreed) => {
    await schedulePlanChange(context.get(domainContext), {
      fanId: context.get(memberContext).id,
      subscriptionId: params.id,
      planPriceId: params.priceId,
      ...agreed,
    });
    return await redirectWithToast(request, `/settings/subscriptions/${params.id}`, {
      kind: "success",
      message: `Combinado: o plano muda em ${formatDay(agreed.beginsAt)}.`,
    });
  });
}

export default function SubscriptionPlanLater({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const { id, problem, shown, creatorName, seller } = loaderData;
  return (
    <>
      <PageHeader
        title={`Mudar para ${shown.toPlanName}?`}
        lead={`Assinatura da página de ${creatorName}. Hoje é ${shown.fromPlanName}.`}
      />
      {problem ? (
        <PlanChangeObstacle id={id} problem={problem} />
      ) : (
        <Card className="p-5 sm:p-6">
          <Form method="post" className="flex flex-col gap-5">
            <FormMessage message={actionData?.message} />
            <PlanChangeLines {...shown} />
            <PlanChangeNotes {...loaderData} />
            <input type="hidden" name="beginsAt" value={shown.quote.nextChargeAt} />
            <input type="hidden" name="nextCents" value={shown.quote.nextCents} />
            <div className="flex flex-wrap gap-2">
              <Button disabled={isBusy}>Mudar em {formatDay(shown.quote.nextChargeAt)}</Button>
              <ButtonLink to={`/settings/subscriptions/${id}/plan`} variant="outline">
                Ver os outros planos
              </ButtonLink>
            </div>
            <PlanChangeTerms seller={seller} creatorName={creatorName} />
          </Form>
        </Card>
      )}
    </>
  );
}
