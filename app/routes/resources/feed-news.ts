import { newsCount, newsOf, NEWS_MAX } from "#app/domain/posts/queries/feed.server.ts";
import { answeredToMember } from "#app/http/resource.server.ts";
import type { Route } from "./+types/feed-news.ts";

/**
 * How many posts came to the feed of whoever asks since they read it; with `posts`, the posts, or
 * none of them when they are too many for the top of a list.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const since = url.searchParams.get("since") ?? "";
  return await answeredToMember(context, async (ctx, { id: viewerId }) => {
    if (url.searchParams.has("posts")) return { items: await newsOf(ctx, { viewerId, since }) };
    const count = await newsCount(ctx, { viewerId, since });
    return { count: Math.min(count, NEWS_MAX), isMore: count > NEWS_MAX };
  });
}
