import { Form, redirect, useNavigation } from "react-router";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { explainCancellation } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { cancellationReasons, cancellationReasonSchema } from "#app/domain/subscriptions/schema.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/cancellation-reason.ts";

export const meta: Route.MetaFunction = () => [{ title: "Assinatura cancelada · Coreto" }];

/**
 * Confirms the cancellation with its protocol number and how to undo it. The reason is asked only
 * here, and is optional.
 */
export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const reference = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  const { id, planName, creatorName, status, accessUntil, protocol } = foundOr404(
    await fanSubscription(ctx, reference),
    "Não encontramos esta assinatura.",
  );
  if (status !== "canceled" || protocol === null) throw redirect(`/settings/subscriptions/${id}`);
  return { id, planName, creatorName, accessUntil, protocol };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const reference = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  return await handleForm(request, cancellationReasonSchema, async ({ reason }) => {
    await explainCancellation(context.get(domainContext), { ...reference, reason });
    return await redirectWithToast(request, `/settings/subscriptions/${params.id}`, {
      kind: "success",
      message: "Obrigado por contar.",
    });
  });
}

const OPTIONS = Object.entries(cancellationReasons).map(([value, label]) => ({ value, label }));

export default function SubscriptionCancellationReason({
  loaderData,
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const { id, planName, creatorName, accessUntil, protocol } = loaderData;
  useFirstError(actionData);
  return (
    <>
      <PageHeader
        title="Assinatura cancelada"
        lead={`${planName}, de ${creatorName}: nada mais é cobrado. Mandamos a confirmação por e-mail.`}
      />
      <Card className="mb-4 flex flex-col gap-5 p-5 sm:p-6">
        <DetailList
          details={[
            { label: "Protocolo", value: <span className="tabular-nums">{protocol}</span> },
            ...(accessUntil ? [{ label: "Você vê tudo até", value: formatDay(accessUntil) }] : []),
          ]}
        />
        <ButtonLink
          to={`/settings/subscriptions/${id}/reactivation`}
          variant="outline"
          className="self-start"
        >
          Desfazer
        </ButtonLink>
      </Card>
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <Choices
            legend="Quer contar por quê? Não é preciso."
            name="reason"
            options={OPTIONS}
            defaultValue={actionData?.values.reason}
            error={actionData?.errors.reason}
          />
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy}>Enviar</Button>
            <ButtonLink to={`/settings/subscriptions/${id}`} variant="ghost">
              Pular
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
