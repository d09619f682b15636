import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { AutomaticTerms } from "#app/components/checkout/automatic-terms.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { authoriseAutomatic } from "#app/domain/subscriptions/commands/automatic.server.ts";
import { automaticOffer } from "#app/domain/subscriptions/queries/automatic-offer.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { formatDay } from "#app/domain/time.ts";
import { submitted } from "#app/http/form.ts";
import type { Route } from "./+types/subscription-automatic.ts";

export const meta: Route.MetaFunction = () => [{ title: "Passar para o Pix Automático · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const offer = await automaticOffer(context.get(domainContext), { fanId: context.get(memberContext).id, subscriptionId: params.id });
  if (!offer) throw redirect(`/settings/subscriptions/${params.id}/payment-method`);
  return offer;
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await submitted(request, z.object({}), async () => {
    const { chargeId } = await authoriseAutomatic(context.get(domainContext), { fanId: context.get(memberContext).id, subscriptionId: params.id });
    return redirect(`/checkout/${chargeId}`, 303);
  });
}

export default function SubscriptionAutomatic({ loaderData: offer, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader title="Passar para o Pix Automático" lead={`${offer.planName}, de ${offer.creatorName}`} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <p>
            Um código só: ele paga o próximo período, de {formatDay(offer.period.startsAt)} a {formatDay(offer.period.endsAt)}, e pede ao seu banco para debitar os seguintes. Até você aprovar, tudo continua como está.
          </p>
          <AutomaticTerms {...offer.terms} />
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
