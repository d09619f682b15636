import { calendarEvents, calendarOwner } from "#app/domain/events/calendar/queries.server.ts";
import { calendarFile } from "#app/domain/events/calendar/rules/calendar-file.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { NOINDEX_HEADERS } from "#app/http/headers/noindex.ts";
import { FEED_RETRY_AFTER_SECONDS, feedTokenHash } from "#app/http/public-pages/feeds.server.ts";
import { calendarResponse } from "./calendar-response.ts";
import type { Route } from "./+types/calendar-feed.ts";

/**
 * Returns a person's events for a calendar program without a session. The address is the
 * credential, so it stays out of public view.
 */
export async function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  const ctx = context.get(domainContext);
  const { FEED_FILE_LIMITER: limiter } = context.get(cloudflareContext).env;
  const place = request.headers.get("CF-Connecting-IP");
  // Before the database is asked: who guesses addresses is slowed down, by their network.
  if (limiter && place && !(await limiter.limit({ key: `calendars:${place}` })).success)
    return refused(429, "Esta agenda foi pedida vezes demais. Espere um minuto.");
  const tokenHash = await feedTokenHash(params.token);
  const owner = tokenHash && (await calendarOwner(ctx, { tokenHash }));
  if (!owner) return refused(404, "Esta agenda não existe mais. Gere outro endereço em Eventos.");
  const events = await calendarEvents(ctx, owner);
  const { appOrigin: origin } = ctx.settings;
  return calendarResponse(calendarFile(events, { origin, name: "Eventos no Coreto" }), {
    ...NOINDEX_HEADERS,
    "Cache-Control": "private, no-cache",
  });
}

function refused(status: number, message: string): Response {
  return new Response(message, {
    status,
    headers: {
      ...NOINDEX_HEADERS,
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "private, no-store",
      ...(status === 429 ? { "Retry-After": FEED_RETRY_AFTER_SECONDS } : {}),
    },
  });
}
