import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { MandateTerms } from "#app/components/checkout/pix/mandate-terms.tsx";
import { RequiredTaxIdField } from "#app/components/checkout/payer/tax-id-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { createPixMandate } from "#app/domain/subscriptions/pix-mandates/commands/mandates.server.ts";
import { pixMandateOffer } from "#app/domain/subscriptions/pix-mandates/queries/mandate-offer.server.ts";
import { submitAsPayer } from "#app/http/checkout/pay.server.ts";
import { needsTaxIdForPix } from "#app/http/checkout/payment.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { formatDay } from "#app/domain/time.ts";
import type { Route } from "./+types/pix-mandate.ts";

export const meta: Route.MetaFunction = () => [{ title: "Passar para o Pix Automático · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const [ctx, { id: personId }] = [context.get(domainContext), context.get(memberContext)];
  const offer = await pixMandateOffer(ctx, { fanId: personId, subscriptionId: params.id });
  if (!offer) throw redirect(`/settings/subscriptions/${params.id}/payment-method`);
  return { ...offer, asksTaxId: await needsTaxIdForPix(ctx, { personId }) };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const [ctx, member] = [context.get(domainContext), context.get(memberContext)];
  return await submitAsPayer(request, { ctx, member }, z.object({}), async () => {
    const { chargeId } = await createPixMandate(ctx, {
      fanId: member.id,
      subscriptionId: params.id,
    });
    return redirect(`/checkout/${chargeId}`, 303);
  });
}

export default function SubscriptionAutomatic({
  loaderData: offer,
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title="Passar para o Pix Automático"
        lead={`${offer.planName}, de ${offer.creatorName}`}
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message ?? actionData?.errors.payment} />
          {offer.asksTaxId ? <RequiredTaxIdField problem={actionData} /> : null}
          <p>
            Um código só: ele paga o próximo período, de {formatDay(offer.period.startsAt)} a{" "}
            {formatDay(offer.period.endsAt)}, e pede ao seu banco para debitar os seguintes. Até
            você aprovar, tudo continua como está.
          </p>
          <MandateTerms {...offer.terms} />
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy}>Gerar o código</Button>
            <ButtonLink to={`/settings/subscriptions/${offer.id}/payment-method`} variant="outline">
              Continuar como está
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
