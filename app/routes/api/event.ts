import { eventFor } from "#app/domain/events/queries.server.ts";
import {
  apiResponse,
  apiViewer,
  eventNotFound,
  methodNotAllowed,
} from "#app/http/api/api.server.ts";
import { apiEvent } from "#app/http/api/events.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/event.ts";

export function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const viewerId = apiViewer(context, "events:read")?.id ?? null;
  return apiResponse(ctx, async () => {
    const event = await eventFor(ctx, { eventId: params.id, viewerId });
    if (!event) throw eventNotFound();
    return apiEvent(event);
  });
}

export const action = methodNotAllowed("GET");
