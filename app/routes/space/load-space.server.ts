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
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import { acceptsTips, tipTargetStatement } from "#app/domain/purchases/tips/queries.server.ts";

export const POSTS_PER_PAGE = 10;
const COLLECTIONS_SHOWN = 4;

type Asked = {
  key: string;
  viewerId: string | null;
  cursor: string | null;
  /** True for the page's team, which also sees what is not on sale. */ isInside?: boolean;
};

/**
 * Returns the statements of the page of `key` (a username or an id). They join the round trip of a
 * page that reads more.
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
 * Loads all that the page of `key` shows to `viewerId`, in one round trip. Null when that page does
 * not exist for them.
 */
export async function loadSpace(ctx: Context, asked: Asked) {
  return spaceFromRows(ctx, asked, await ctx.db.batch(spaceStatements(ctx, asked)));
}

/** Builds the page from the rows of `spaceStatements`. */
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
    // A plan card leads to a checkout. When sales are closed, only the team and subscribers see the
    // cards.
    plans:
      profile.isAgeClosed ||
      !(sells || isInside || profile.isSelf || profile.heldSubscription !== null)
        ? []
        : plansFromRows(planRows),
    posts: cardsFromRows(ctx, postRows, viewerId, POSTS_PER_PAGE),
    pinned: cursor === null ? cardsFromRows(ctx, pinnedRows, viewerId, POSTS_PER_PAGE).items : [],
    collections: collections.slice(0, COLLECTIONS_SHOWN).map(toCollectionSummary),
    hasMoreCollections: collections.length > COLLECTIONS_SHOWN,
    nextEvent: isHiddenPath("/events", ctx.settings) ? null : (events[0] ?? null),
    acceptsTips: sells,
    awayUntil: away?.until ?? null,
    now: ctx.now(),
    origin: ctx.settings.appOrigin,
  };
}
