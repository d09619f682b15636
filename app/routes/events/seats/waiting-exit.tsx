import { z } from "zod";
import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { leaveWaitingList } from "#app/domain/events/seats/commands.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { memberEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/waiting-exit.ts";

export const meta: Route.MetaFunction = () => [{ title: "Sair da fila · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  return { title: (await memberEvent(args)).title };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const personId = context.get(memberContext).id;
  return handleForm(request, z.object({}), async () => {
    await leaveWaitingList(context.get(domainContext), { eventId: params.id, personId });
    return redirectWithToast(request, `/events/${params.id}`, {
      kind: "success",
      message: "Você saiu da fila.",
    });
  });
}

/** Asks first: the next person is offered the place at once, so that it cannot be given back. */
export default function WaitingExit({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Sair da fila"
      title={loaderData.title}
      means="O seu lugar, e a vaga que espera por você se houver uma, passam para a próxima pessoa."
      button={<Button variant="danger">Sair da fila</Button>}
      backTo={`/events/${params.id}`}
      message={actionData?.message}
    />
  );
}
