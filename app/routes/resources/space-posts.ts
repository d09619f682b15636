import { spacePosts } from "#app/domain/posts/queries.server.ts";
import { memberResponse } from "#app/http/resource.server.ts";
import { POSTS_PER_PAGE } from "#app/http/public-pages/space-rows.server.ts";
import type { Route } from "./+types/space-posts.ts";

/** Returns a further page of a creator's posts, as the member can see them. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  return await memberResponse(context, (ctx, { id: viewerId }) =>
    spacePosts(ctx, {
      authorKey: params.id,
      viewerId,
      cursor: url.searchParams.get("cursor"),
      limit: POSTS_PER_PAGE,
    }),
  );
}
