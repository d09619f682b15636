import { doorList } from "#app/domain/events/door/queries.server.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { memberResponse } from "#app/http/resource.server.ts";
import type { Route } from "./+types/door-list.ts";

const PAGE = 1_000;

/** A page of the tickets of an own event, for the device of its door. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  return await memberResponse(context, async (ctx) => {
    const { space } = requireActor({ context }, "events:manage");
    return await doorList(ctx, {
      eventId: params.id,
      creatorId: space.personId,
      after: url.searchParams.get("after"),
      limit: PAGE,
    });
  });
}
