import { ticketsOfPerson } from "#app/domain/events/queries/lists.server.ts";
import { apiResponse, methodNotAllowed, requiredApiViewer } from "#app/http/api/api.server.ts";
import { apiEventCard, isoOrNull } from "#app/http/api/events.ts";
import type { ApiTicketList } from "#app/http/api/events.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/event-tickets.ts";

/** Lists the seats of the token's person at events that are not over. */
export function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  return apiResponse(ctx, async (): Promise<ApiTicketList> => {
    const { id: personId } = requiredApiViewer(context, "events:read");
    const tickets = await ticketsOfPerson(ctx, { personId });
    return {
      items: tickets.map(({ event, code, link, linkOpensAt, checkedInAt }) => ({
        event: apiEventCard(event),
        code,
        link: link ?? "",
        linkOpensAt: isoOrNull(linkOpensAt),
        checkedInAt: isoOrNull(checkedInAt),
      })),
    };
  });
}

export const action = methodNotAllowed("GET");
