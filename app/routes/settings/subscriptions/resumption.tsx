import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { resumeSubscription } from "#app/domain/subscriptions/pauses/commands.server.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { accessUntilIfCanceled } from "#app/domain/subscriptions/pauses/rules.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/resumption.ts";

export const meta: Route.MetaFunction = () => [{ title: "Voltar da pausa · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const reference = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  const subscription = foundOr404(
    await fanSubscription(ctx, reference),
    "Não encontramos esta assinatura.",
  );
  const { id, planName, creatorName, status, resumesAt } = subscription;
  if (status !== "paused" || resumesAt === null) throw redirect(`/settings/subscriptions/${id}`);
  return {
    id,
    planName,
    creatorName,
    resumesAt,
    paidUntil: accessUntilIfCanceled(subscription, ctx.now()),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, z.object({}), async () => {
    await resumeSubscription(context.get(domainContext), {
      fanId: context.get(memberContext).id,
      subscriptionId: params.id,
    });
    return await redirectWithToast(request, `/settings/subscriptions/${params.id}`, {
      kind: "success",
      message: "Pronto: está tudo aberto de novo.",
    });
  });
}

export default function SubscriptionResumption({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const { id, planName, creatorName, resumesAt, paidUntil } = loaderData;
  return (
    <>
      <PageHeader
        title={`Voltar a ${planName} agora?`}
        lead={`Assinatura da página de ${creatorName}, pausada até ${formatDay(resumesAt)}.`}
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <p>
            Tudo abre de novo agora, com os dias que você já pagou
            {paidUntil === null
              ? "."
              : `: até ${formatDay(paidUntil)}, quando vem a próxima cobrança.`}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy}>Voltar agora</Button>
            <ButtonLink to={`/settings/subscriptions/${id}`} variant="outline">
              Deixar pausada
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
