import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { cancelBroadcast } from "#app/domain/broadcasts/commands.server.ts";
import { isCancelableState, peopleText } from "#app/domain/broadcasts/rules.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { ownBroadcast } from "./own-broadcast.server.ts";
import type { Route } from "./+types/broadcast-cancellation.ts";

export const meta: Route.MetaFunction = () => [{ title: "Cancelar mensagem para muitos · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const { state, deliveredCount } = await ownBroadcast(context, params);
  if (!isCancelableState(state)) throw redirect(`/messages/broadcasts/${params.id}`);
  return { isRunning: state === "sending", deliveredCount };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "messages:write",
    z.object({}),
    async (_, actor) => {
      await cancelBroadcast(context.get(domainContext), {
        id: params.id,
        creatorId: actor.space.personId,
      });
      return await redirectWithToast(request, `/messages/broadcasts/${params.id}`, {
        kind: "success",
        message: "Cancelada.",
      });
    },
  );
}

export default function BroadcastCancellation({
  loaderData: { isRunning, deliveredCount },
  actionData,
  params,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader title="Cancelar esta mensagem?" />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <p>
          {isRunning
            ? `O envio para. Já chegou para ${peopleText(deliveredCount)} ou um pouco mais, e lá a mensagem fica.`
            : "Ela não sai. Ninguém recebeu nada."}
        </p>
        <Form method="post" className="flex flex-wrap gap-2">
          <ActingField />
          <FormMessage message={actionData?.message} />
          <Button variant="danger" disabled={isBusy}>
            Cancelar a mensagem
          </Button>
          <ButtonLink to={`/messages/broadcasts/${params.id}`} variant="outline">
            Voltar
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
