import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { pauseSubscription } from "#app/domain/subscriptions/pauses/commands.server.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { canPause, pauseDates } from "#app/domain/subscriptions/pauses/rules.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/pause.ts";

export const meta: Route.MetaFunction = () => [{ title: "Pausar assinatura · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const reference = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  const subscription = foundOr404(
    await fanSubscription(ctx, reference),
    "Não encontramos esta assinatura.",
  );
  const { id, planName, creatorName, currentPeriodEndsAt, accessUntil } = subscription;
  const now = ctx.now();
  if (!canPause(subscription, now) || currentPeriodEndsAt === null || accessUntil === null)
    throw redirect(`/settings/subscriptions/${id}`);
  const { resumesAt, currentPeriodEndsAt: nextChargeAt } = pauseDates(
    { currentPeriodEndsAt, accessUntil },
    now,
  );
  return { id, planName, creatorName, resumesAt, nextChargeAt, wasChargedAt: currentPeriodEndsAt };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, z.object({}), async () => {
    await pauseSubscription(context.get(domainContext), {
      fanId: context.get(memberContext).id,
      subscriptionId: params.id,
    });
    return await redirectWithToast(request, `/settings/subscriptions/${params.id}`, {
      kind: "success",
      message: "Assinatura pausada por um mês.",
    });
  });
}

export default function SubscriptionPause({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const { id, planName, creatorName, resumesAt, nextChargeAt, wasChargedAt } = loaderData;
  return (
    <>
      <PageHeader
        title={`Pausar ${planName} por 1 mês?`}
        lead={`Assinatura da página de ${creatorName}.`}
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <p>
            Durante a pausa nada é cobrado e o que é de assinantes fica fechado para você. Os dias
            que você já pagou não se perdem: voltam inteiros no fim da pausa, ou antes, quando você
            quiser.
          </p>
          <DetailList
            details={[
              { label: "Volta sozinha em", value: formatDay(resumesAt) },
              {
                label: "Próxima cobrança",
                value: `${formatDay(nextChargeAt)}, em vez de ${formatDay(wasChargedAt)}`,
              },
            ]}
          />
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy}>Pausar 1 mês</Button>
            <ButtonLink to={`/settings/subscriptions/${id}`} variant="outline">
              Continuar assinando
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
