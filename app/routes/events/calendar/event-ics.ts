import { calendarFile } from "#app/domain/events/calendar/rules/calendar-file.ts";
import { domainContext } from "#app/http/contexts.ts";
import { calendarResponse } from "./calendar-response.ts";
import { memberEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/event-ics.ts";

/** Returns the event for a calendar program; the link is inside for who has a seat. */
export async function loader(args: Route.LoaderArgs): Promise<Response> {
  const { appOrigin: origin } = args.context.get(domainContext).settings;
  const event = await memberEvent(args);
  return calendarResponse(calendarFile([event], { origin, name: event.title }), {
    "Cache-Control": "private, no-store",
  });
}
