import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { retireTicketKind } from "#app/domain/events/commands/ticket-kinds.server.ts";
import { ticketKindsOf } from "#app/domain/events/queries/ticket-kinds.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actOnEvent, KIND_MISSING, ownEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/ticket-kind-retirement.ts";

export const meta: Route.MetaFunction = () => [{ title: "Tirar ingresso de venda · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { event } = await ownEvent(args, "plans:edit");
  const kinds = await ticketKindsOf(args.context.get(domainContext), { eventId: event.id });
  const kind = foundOr404(
    kinds.find(({ id, retiredAt }) => id === args.params.kindId && retiredAt === null),
    KIND_MISSING,
  );
  return { name: kind.name };
}

export function action(args: Route.ActionArgs) {
  const { id, kindId } = args.params;
  return actOnEvent(
    args,
    (ctx, own) => retireTicketKind(ctx, { ...own, kindId }),
    () =>
      redirectWithToast(args.request, `/events/${id}/ticket-kinds`, {
        kind: "success",
        message: "Este tipo não está mais à venda.",
      }),
    "plans:edit",
  );
}

export default function TicketKindRetirement({
  loaderData,
  actionData,
  params,
}: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Tirar de venda"
      title={loaderData.name}
      means="Ninguém mais compra este tipo, e ele não volta. Quem já tem um ingresso continua com ele."
      button={<Button variant="danger">Tirar de venda</Button>}
      backTo={`/events/${params.id}/ticket-kinds/${params.kindId}`}
      message={actionData?.message}
    />
  );
}
