import { z } from "zod";
import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { restoreTicketKind } from "#app/domain/events/tickets/commands/ticket-kinds.server.ts";
import { ticketKindsOf } from "#app/domain/events/tickets/queries/ticket-kinds.server.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { KIND_MISSING, ownEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/ticket-kind-restoration.ts";

export const meta: Route.MetaFunction = () => [{ title: "Voltar à venda · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { event } = await ownEvent(args, "plans:edit");
  const kinds = await ticketKindsOf(args.context.get(domainContext), { eventId: event.id });
  return {
    name: foundOr404(
      kinds.find(({ id }) => id === args.params.kindId),
      KIND_MISSING,
    ).name,
  };
}

export function action({ request, context, params }: Route.ActionArgs) {
  const { id: eventId, kindId } = params;
  return submitForSpace({ request, context }, "plans:edit", z.object({}), async (_, { space }) => {
    const own = { eventId, creatorId: space.personId };
    await restoreTicketKind(context.get(domainContext), { ...own, kindId });
    return redirectWithToast(request, `/events/${eventId}/ticket-kinds`, {
      kind: "success",
      message: "Este tipo está à venda de novo.",
    });
  });
}

/** Shows a refusal. The button is in the message after the retirement. */
export default function TicketKindRestoration({
  loaderData,
  actionData,
  params,
}: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Voltar à venda"
      title={loaderData.name}
      means="Até 10 minutos depois de sair de venda, o tipo volta como estava."
      button={<Button>Voltar à venda</Button>}
      backTo={`/events/${params.id}/ticket-kinds`}
      message={actionData?.message ?? Object.values(actionData?.errors ?? {})[0]}
    />
  );
}
