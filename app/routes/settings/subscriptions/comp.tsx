import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { endComp } from "#app/domain/subscriptions/comps/commands.server.ts";
import { activeComp } from "#app/domain/subscriptions/comps/queries.server.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { compUntilLabel } from "#app/domain/subscriptions/comps/rules.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/comp.ts";

export const meta: Route.MetaFunction = () => [{ title: "Deixar a cortesia · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const [ctx, reference] = [
    context.get(domainContext),
    { fanId: context.get(memberContext).id, subscriptionId: params.id },
  ];
  const [comp, shown] = await Promise.all([
    activeComp(ctx, reference),
    fanSubscription(ctx, reference),
  ]);
  const { id, creatorName, planName, compEndsAt } = foundOr404(
    comp?.fanId === reference.fanId ? comp : null,
    "Não encontramos esta cortesia.",
  );
  const { hasUpcoming } = foundOr404(shown, "Não encontramos esta cortesia.");
  return { id, creatorName, planName, until: compUntilLabel(compEndsAt), hasUpcoming };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, z.object({}), async () => {
    await endComp(context.get(domainContext), {
      subscriptionId: params.id,
      by: { fanId: context.get(memberContext).id },
    });
    return await redirectWithToast(request, `/settings/subscriptions/${params.id}`, {
      kind: "success",
      message: "Pronto: você deixou a cortesia.",
    });
  });
}

export default function SubscriptionComp({
  loaderData: { id, creatorName, planName, until, hasUpcoming },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader title="Deixar a cortesia?" lead={`${planName}, de ${creatorName}.`} />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <p>
          {creatorName} deu a você este plano, {until}, e não custa nada. Se deixar, o acesso
          termina agora
          {hasUpcoming
            ? ", e volta quando a assinatura que você já pagou começar, no dia dela"
            : "; para voltar, é só assinar"}
          .
        </p>
        <Form method="post" className="flex flex-wrap gap-2">
          <FormMessage message={actionData?.message} />
          <Button variant="danger" disabled={isBusy}>
            Deixar a cortesia
          </Button>
          <ButtonLink to={`/settings/subscriptions/${id}`} variant="outline">
            Ficar com ela
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
