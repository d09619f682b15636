import { z } from "zod";
import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { withdrawOffer } from "#app/domain/events/transfers/commands.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { memberTicket } from "./member-ticket.server.ts";
import type { Route } from "./+types/ticket-withdrawal.ts";

export const meta: Route.MetaFunction = () => [{ title: "Desistir de passar · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  return { title: (await memberTicket(args)).event.title };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const personId = context.get(memberContext).id;
  return handleForm(request, z.object({}), async () => {
    await withdrawOffer(context.get(domainContext), {
      eventId: params.id,
      seatId: params.seatId,
      personId,
    });
    return redirectWithToast(request, `/events/${params.id}/ticket`, {
      kind: "success",
      message: "O ingresso continua seu. O link que você mandou não vale mais.",
    });
  });
}

export default function TicketWithdrawal({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Desistir de passar"
      title={loaderData.title}
      means="O ingresso continua seu, e o link que você mandou deixa de valer."
      button={<Button variant="danger">Desistir de passar</Button>}
      backTo={`/events/${params.id}/ticket`}
      message={actionData?.message}
    />
  );
}
