import {
  newFeedPostsCount,
  newFeedPosts,
  NEW_POSTS_MAX,
} from "#app/domain/posts/queries/feed.server.ts";
import { memberResponse } from "#app/http/resource.server.ts";
import type { Route } from "./+types/feed-news.ts";

/**
 * Counts the posts that are new in the member's feed since they read it. With `posts`, also returns
 * them, unless they are too many for the top of a list.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const since = url.searchParams.get("since") ?? "";
  return await memberResponse(context, async (ctx, { id: viewerId }) => {
    if (url.searchParams.has("posts"))
      return { items: await newFeedPosts(ctx, { viewerId, since }) };
    const count = await newFeedPostsCount(ctx, { viewerId, since });
    return { count: Math.min(count, NEW_POSTS_MAX), isMore: count > NEW_POSTS_MAX };
  });
}
