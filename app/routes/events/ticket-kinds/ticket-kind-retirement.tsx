import { ScopeChoices } from "#app/components/events/series/scope-choices.tsx";
import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { retireTicketKind } from "#app/domain/events/tickets/commands/ticket-kinds.server.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import { ticketKindsOf } from "#app/domain/events/tickets/queries/ticket-kinds.server.ts";
import { scopeSchema } from "#app/domain/events/series/schema.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { KIND_MISSING, ownEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/ticket-kind-retirement.ts";

export const meta: Route.MetaFunction = () => [{ title: "Tirar ingresso de venda · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { event } = await ownEvent(args, "plans:edit");
  const kinds = await ticketKindsOf(args.context.get(domainContext), { eventId: event.id });
  const kind = foundOr404(
    kinds.find(({ id, retiredAt }) => id === args.params.kindId && retiredAt === null),
    KIND_MISSING,
  );
  return {
    name: kind.name,
    isRepeating: event.seriesId !== null,
    isDraft: event.status === "draft",
  };
}

export function action({ request, context, params }: Route.ActionArgs) {
  const act = { request, context };
  const { id: eventId, kindId } = params;
  return submitForSpace(act, "plans:edit", scopeSchema, async ({ scope }, { space }) => {
    const ctx = context.get(domainContext);
    const own = { eventId, creatorId: space.personId };
    const event = await editableEvent(ctx, own);
    await retireTicketKind(ctx, { ...own, kindId, scope });
    return redirectWithToast(request, `/events/${eventId}/ticket-kinds`, {
      kind: "success",
      message: "Este tipo não está mais à venda.",
      ...(event?.status === "draft"
        ? {}
        : { undo: `/events/${eventId}/ticket-kinds/${kindId}/restoration` }),
    });
  });
}

/**
 * Asks only which dates of a repeating event, and about a draft, whose kind is deleted: the page of
 * a kind has a button for the rest.
 */
export default function TicketKindRetirement({
  loaderData,
  actionData,
  params,
}: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Tirar de venda"
      title={loaderData.name}
      means={
        loaderData.isDraft
          ? "Ele é apagado deste rascunho e não volta."
          : "Ninguém mais compra este tipo. Quem já tem um ingresso continua com ele. Por 10 minutos dá para desfazer."
      }
      button={
        <>
          {loaderData.isRepeating ? (
            <ScopeChoices
              legend="Tirar de venda em quais datas"
              chosen={actionData?.values["scope"]}
              error={actionData?.errors["scope"]}
            />
          ) : null}
          <Button variant="danger">Tirar de venda</Button>
        </>
      }
      backTo={`/events/${params.id}/ticket-kinds/${params.kindId}`}
      message={actionData?.message}
    />
  );
}
