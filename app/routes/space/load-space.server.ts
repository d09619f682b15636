import {
  collectionsStatement,
  toCollectionSummary,
} from "#app/domain/collections/queries.server.ts";
import type { Context } from "#app/domain/context.ts";
import { upcomingEventsOfStatement } from "#app/domain/events/queries.server.ts";
import { plansFromRows, plansOfSpaceStatement } from "#app/domain/plans/queries.server.ts";
import { vacationStatement } from "#app/domain/plans/queries/vacations.server.ts";
import {
  cardsFromRows,
  pinnedPostsStatement,
  spacePostsStatement,
} from "#app/domain/posts/queries.server.ts";
import { profileForStatement, profileForViewer } from "#app/domain/profiles/queries.server.ts";
import { acceptsTips, tipTargetStatement } from "#app/domain/purchases/tips/queries.server.ts";

export const POSTS_PER_PAGE = 10;
const COLLECTIONS_SHOWN = 4;

type Asked = {
  key: string;
  viewerId: string | null;
  cursor: string | null;
  /** For who works on the page, who sees what is not on sale too. */ isInside?: boolean;
};

/**
 * The statements of the page of `key` (a username or an id), for a page that reads more in the same
 * round trip.
 */
export function spaceStatements(ctx: Context, { key, viewerId, cursor }: Asked) {
  return [
    profileForStatement(ctx, { key, viewerId }),
    plansOfSpaceStatement(ctx, { creatorKey: key }),
    spacePostsStatement(ctx, { authorKey: key, viewerId, cursor, limit: POSTS_PER_PAGE }),
    collectionsStatement(ctx, { creatorKey: key, viewerId, limit: COLLECTIONS_SHOWN + 1 }),
    upcomingEventsOfStatement(ctx, { creatorKey: key, viewerId, limit: 1 }),
    pinnedPostsStatement(ctx, { authorKey: key, viewerId }),
    tipTargetStatement(ctx, { key, viewerId }),
    vacationStatement(ctx, { creatorKey: key }),
  ] as const;
}

type RowsOf<Statements extends readonly unknown[]> = {
  [Index in keyof Statements]: Awaited<Statements[Index]>;
};
type Rows = RowsOf<ReturnType<typeof spaceStatements>>;

/**
 * All that the page of `key` shows to `viewerId`, in one round trip; null when there is no such
 * page for them.
 */
export async function loadSpace(ctx: Context, asked: Asked) {
  return spaceFromRows(ctx, asked, await ctx.db.batch(spaceStatements(ctx, asked)));
}

/** What `spaceStatements` read, as the page shows it. */
export function spaceFromRows(
  ctx: Context,
  { viewerId, cursor, isInside = false }: Asked,
  [profileRows, planRows, postRows, collections, events, pinnedRows, [tipRow], [away]]: Rows,
) {
  const [profileRow] = profileRows;
  if (!profileRow) return null;
  const profile = profileForViewer(profileRow);
  const sells = acceptsTips(tipRow, ctx.now());
  return {
    profile,
    // A card leads to a checkout: where nothing may be sold only who works on the page and who
    // subscribes see it.
    plans:
      profile.isAgeClosed ||
      !(sells || isInside || profile.isSelf || profile.heldSubscription !== null)
        ? []
        : plansFromRows(planRows),
    posts: cardsFromRows(ctx, postRows, viewerId, POSTS_PER_PAGE),
    pinned: cursor === null ? cardsFromRows(ctx, pinnedRows, viewerId, POSTS_PER_PAGE).items : [],
    collections: collections.slice(0, COLLECTIONS_SHOWN).map(toCollectionSummary),
    hasMoreCollections: collections.length > COLLECTIONS_SHOWN,
    nextEvent: events[0] ?? null,
    acceptsTips: sells,
    awayUntil: away?.until ?? null,
    now: ctx.now(),
    origin: ctx.settings.appOrigin,
  };
}
