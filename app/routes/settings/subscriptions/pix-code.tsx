import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { RequiredTaxIdField } from "#app/components/checkout/payer/tax-id-field.tsx";
import { TermsNote } from "#app/components/checkout/terms-note.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { requestRenewalCode } from "#app/domain/subscriptions/pix-mandates/commands/mandates.server.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { canPayByCode } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { submitAsPayer } from "#app/http/checkout/pay.server.ts";
import { needsTaxIdForPix } from "#app/http/checkout/payment.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/pix-code.ts";

export const meta: Route.MetaFunction = () => [{ title: "Pagar com código Pix · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const reference = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  const { id, planName, creatorName, status, debit, openChargeId } = foundOr404(
    await fanSubscription(ctx, reference),
    "Não encontramos esta assinatura.",
  );
  if (openChargeId !== null) throw redirect(`/checkout/${openChargeId}`);
  if (!canPayByCode(status, debit)) throw redirect(`/settings/subscriptions/${id}`);
  return {
    id,
    planName,
    creatorName,
    hasDebit: debit !== null,
    asksTaxId: await needsTaxIdForPix(ctx, { personId: reference.fanId }),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const [ctx, member] = [context.get(domainContext), context.get(memberContext)];
  return await submitAsPayer(request, { ctx, member }, z.object({}), async () => {
    const { chargeId } = await requestRenewalCode(ctx, {
      fanId: member.id,
      subscriptionId: params.id,
    });
    return redirect(`/checkout/${chargeId}`, 303);
  });
}

export default function SubscriptionPixCode({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const { id, planName, creatorName, hasDebit } = loaderData;
  return (
    <>
      <PageHeader title="Pagar com código Pix" lead={`${planName}, de ${creatorName}`} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message ?? actionData?.errors.payment} />
          {loaderData.asksTaxId ? <RequiredTaxIdField problem={actionData} /> : null}
          <p>
            Geramos um código Pix só desta renovação.{" "}
            {hasDebit
              ? "A tentativa que o banco faria é cancelada antes, para você não pagar duas vezes. "
              : ""}
            O Pix Automático continua para as próximas.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy}>Gerar código Pix</Button>
            <ButtonLink to={`/settings/subscriptions/${id}`} variant="outline">
              Voltar para a assinatura
            </ButtonLink>
          </div>
          <TermsNote />
        </Form>
      </Card>
    </>
  );
}
