import { calendarFile } from "#app/domain/events/calendar/rules/calendar-file.ts";
import { eventFor } from "#app/domain/events/queries.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { PRIVATE_PAGE } from "#app/http/headers/cache.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { calendarResponse } from "./calendar-response.ts";
import { EVENT_MISSING } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/public-event-ics.ts";

/** Returns the event for a visitor's calendar program, without its link. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const ctx = context.get(domainContext);
  const { appOrigin: origin } = ctx.settings;
  const event = foundOr404(
    await eventFor(ctx, { eventId: params.id, viewerId: null }),
    EVENT_MISSING,
  );
  return calendarResponse(calendarFile([event], { origin, name: event.title }), {
    "Cache-Control": PRIVATE_PAGE,
  });
}
