import { homeFeed } from "#app/domain/posts/queries/feed.server.ts";
import { memberResponse } from "#app/http/resource.server.ts";
import { POSTS_PER_PAGE } from "#app/routes/home/feed-page.ts";
import type { Route } from "./+types/feed.ts";

/** Returns a further page of the member's feed. */
export async function loader({ context, url }: Route.LoaderArgs) {
  return await memberResponse(context, (ctx, { id: viewerId }) =>
    homeFeed(ctx, { viewerId, cursor: url.searchParams.get("cursor"), limit: POSTS_PER_PAGE }),
  );
}
