import { unreadCount } from "#app/domain/notifications/queries.server.ts";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/notification-count.ts";

/** Returns the number of unread notifications of the member. Zero without a session. */
export async function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  const unread = viewer
    ? await unreadCount(context.get(domainContext), { personId: viewer.id })
    : 0;
  return Response.json({ unread }, { headers: { "Cache-Control": "private, no-store" } });
}
