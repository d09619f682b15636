import { collectionsStatement } from "#app/domain/collections/queries.server.ts";
import type { Context } from "#app/domain/context.ts";
import { upcomingEventsOfStatement } from "#app/domain/events/queries.server.ts";
import { plansFromRows, plansOfSpaceStatement } from "#app/domain/plans/queries.server.ts";
import { spacePostsStatement, wholePostsFromRows } from "#app/domain/posts/queries.server.ts";
import { profileForStatement, profileForViewer } from "#app/domain/profiles/queries.server.ts";

export const POSTS_PER_PAGE = 10;
const COLLECTIONS_SHOWN = 4;

/** All that the page of `key` (a username or an id) shows to `viewerId`, in one round trip; null when there is no such page for them. */
export async function loadSpace(ctx: Context, { key, viewerId, cursor }: { key: string; viewerId: string | null; cursor: string | null }) {
  const [profileRows, planRows, postRows, collections, events] = await ctx.db.batch([
    profileForStatement(ctx, { key, viewerId }),
    plansOfSpaceStatement(ctx, { creatorKey: key }),
    spacePostsStatement(ctx, { authorKey: key, viewerId, cursor, limit: POSTS_PER_PAGE }),
    collectionsStatement(ctx, { creatorKey: key, limit: COLLECTIONS_SHOWN }),
    upcomingEventsOfStatement(ctx, { creatorKey: key, limit: 1 }),
  ]);
  const [profileRow] = profileRows;
  if (!profileRow) return null;
  return {
    profile: profileForViewer(profileRow),
    plans: plansFromRows(planRows),
    posts: wholePostsFromRows(ctx, postRows, viewerId, POSTS_PER_PAGE),
    collections,
    nextEvent: events[0] ?? null,
    now: ctx.now(),
    origin: ctx.settings.appOrigin,
  };
}
