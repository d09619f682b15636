import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { endPixMandate } from "#app/domain/subscriptions/pix-mandates/commands/mandates.server.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { PIX_RENEWAL_LEAD_DAYS } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/pix-mandate-end.ts";

export const meta: Route.MetaFunction = () => [{ title: "Encerrar o Pix Automático · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const reference = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  const { id, planName, creatorName, recurringPixId, status } = foundOr404(
    await fanSubscription(context.get(domainContext), reference),
    "Não encontramos esta assinatura.",
  );
  if (recurringPixId === null) throw redirect(`/settings/subscriptions/${id}`);
  return { id, planName, creatorName, renews: status !== "canceled" };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, z.object({}), async () => {
    await endPixMandate(context.get(domainContext), {
      fanId: context.get(memberContext).id,
      subscriptionId: params.id,
    });
    return await redirectWithToast(request, `/settings/subscriptions/${params.id}`, {
      kind: "success",
      message: "Autorização encerrada: nada mais é debitado sozinho.",
    });
  });
}

export default function SubscriptionAutomaticEnd({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const { id, planName, creatorName, renews } = loaderData;
  return (
    <>
      <PageHeader title="Encerrar o Pix Automático?" lead={`${planName}, de ${creatorName}`} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <p>
            Nada mais sai da sua conta sozinho.{" "}
            {renews
              ? `A assinatura continua: a cada renovação mandamos um código Pix ${PIX_RENEWAL_LEAD_DAYS} dias antes, e você paga se quiser.`
              : "O que você já pagou segue aberto até o fim."}{" "}
            Um débito que já está no banco pode ser retirado até as 22h da véspera.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button variant="danger" disabled={isBusy}>
              Encerrar autorização
            </Button>
            <ButtonLink to={`/settings/subscriptions/${id}/payment-method`} variant="outline">
              Manter o Pix Automático
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
