import { loadExplore } from "#app/domain/discovery/queries.server.ts";
import { exploreSchema } from "#app/domain/discovery/schema.ts";
import { memberResponse } from "#app/http/resource.server.ts";
import { enforceSearchLimit } from "#app/http/limits/search-limit.ts";
import type { Route } from "./+types/explore.ts";

/** Returns a further page of the posts that `/explore` found. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const asked = exploreSchema.parse(Object.fromEntries(url.searchParams));
  return await memberResponse(context, async (ctx, { id: viewerId }) => {
    await enforceSearchLimit(context, { memberId: viewerId, query: asked.q });
    return (await loadExplore(ctx, { ...asked, show: "posts", viewerId })).posts;
  });
}
