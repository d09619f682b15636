import { explored } from "#app/domain/discovery/queries.server.ts";
import { exploreSchema } from "#app/domain/discovery/schema.ts";
import { answeredToMember } from "#app/http/resource.server.ts";
import { withinSearchLimit } from "#app/http/search-limit.ts";
import type { Route } from "./+types/explore.ts";

/** A further page of the posts that `/explore` found. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const asked = exploreSchema.parse(Object.fromEntries(url.searchParams));
  return await answeredToMember(context, async (ctx, { id: viewerId }) => {
    await withinSearchLimit(context, { memberId: viewerId, query: asked.q });
    return (await explored(ctx, { ...asked, show: "posts", viewerId })).posts;
  });
}
