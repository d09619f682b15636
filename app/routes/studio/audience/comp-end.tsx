import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { endComp } from "#app/domain/subscriptions/comps/commands.server.ts";
import { activeComp } from "#app/domain/subscriptions/comps/queries.server.ts";
import { compUntilLabel } from "#app/domain/subscriptions/comps/rules.ts";
import { submitForSpace, requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/comp-end.ts";

export const meta: Route.MetaFunction = () => [{ title: "Encerrar cortesia · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { space } = requireWriter({ context }, "plans:edit");
  const comp = await activeComp(context.get(domainContext), { subscriptionId: params.id });
  const { fanName, planName, compEndsAt } = foundOr404(
    comp?.creatorId === space.personId ? comp : null,
    "Não encontramos esta cortesia.",
  );
  return { fanName, planName, until: compUntilLabel(compEndsAt) };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "plans:edit",
    z.object({}),
    async (_, { space }) => {
      const { fanName } = await endComp(context.get(domainContext), {
        subscriptionId: params.id,
        by: { creatorId: space.personId },
      });
      return await redirectWithToast(request, "/me/subscribers", {
        kind: "success",
        message: `A cortesia de ${fanName} terminou.`,
      });
    },
  );
}

export default function CompEnd({
  loaderData: { fanName, planName, until },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader title={`Encerrar a cortesia de ${fanName}?`} />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <p>
          {fanName} tem o plano {planName} de cortesia, {until}. Ao encerrar, o acesso termina
          agora, a pessoa recebe um aviso e continua seguindo a página.
        </p>
        <Form method="post" className="flex flex-wrap gap-2">
          <ActingField />
          <FormMessage message={actionData?.message} />
          <Button variant="danger" disabled={isBusy}>
            Encerrar a cortesia
          </Button>
          <ButtonLink to="/me/subscribers" variant="outline">
            Deixar como está
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
