import {
  newFeedPostsCount,
  newFeedPosts,
  NEW_POSTS_MAX,
} from "#app/domain/posts/queries/feed.server.ts";
import { memberResponse } from "#app/http/resource.server.ts";
import type { Route } from "./+types/feed-news.ts";

/**
 * How many posts came to the feed of whoever asks since they read it; with `posts`, the posts, or
 * none of them when they are too many for the top of a list.
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
