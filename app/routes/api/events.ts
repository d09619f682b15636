import { upcomingEvents } from "#app/domain/events/queries/lists.server.ts";
import { decodeCursor } from "#app/domain/page.ts";
import {
  apiResponse,
  apiViewer,
  methodNotAllowed,
  parseApiQuery,
} from "#app/http/api/api.server.ts";
import { apiEventCard, eventsQuerySchema } from "#app/http/api/events.ts";
import type { ApiEventList } from "#app/http/api/events.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/events.ts";

/** Lists the published events that whoever asks may know of. */
export function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const personId = apiViewer(context, "events:read")?.id ?? null;
  return apiResponse(ctx, async (): Promise<ApiEventList> => {
    const { cursor, limit } = parseApiQuery(url, eventsQuerySchema);
    const page = await upcomingEvents(ctx, {
      personId,
      scope: "explore",
      cursor: decodeCursor(cursor),
      limit,
    });
    return { items: page.items.map(apiEventCard), next: page.next };
  });
}

export const action = methodNotAllowed("GET");
