import type { RouterContextProvider } from "react-router";
import { ticketsOf } from "#app/domain/events/queries.server.ts";
import type { EventView } from "#app/domain/events/schema.ts";
import type { Ticket } from "#app/domain/events/attendees/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { memberEvent } from "#app/routes/events/event-page.server.ts";

type Routed = {
  context: Readonly<RouterContextProvider>;
  params: { id: string; seatId: string };
};

/** Loads one ticket of the member with its event; 404 for somebody else's. */
export async function memberTicket({
  context,
  params,
}: Routed): Promise<{ event: EventView; ticket: Ticket }> {
  const event = await memberEvent({ context, params });
  const tickets = await ticketsOf(context.get(domainContext), {
    eventId: event.id,
    personId: context.get(memberContext).id,
  });
  const ticket = foundOr404(
    tickets.find(({ seatId }) => seatId === params.seatId),
    "Não encontramos este ingresso.",
  );
  return { event, ticket };
}
