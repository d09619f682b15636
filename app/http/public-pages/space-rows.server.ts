import { preparePageReads } from "#app/db/page-reads.ts";
import { collectionsStatement } from "#app/domain/collections/queries.server.ts";
import type { Context } from "#app/domain/context.ts";
import { upcomingEventsOfStatement } from "#app/domain/events/queries.server.ts";
import { plansOfSpaceStatement } from "#app/domain/plans/queries.server.ts";
import { vacationStatement } from "#app/domain/plans/queries/vacations.server.ts";
import { pinnedPostsStatement, spacePostsStatement } from "#app/domain/posts/queries.server.ts";
import { profileForStatement } from "#app/domain/profiles/queries.server.ts";
import { tipTargetStatement } from "#app/domain/purchases/tips/queries.server.ts";

export const POSTS_PER_PAGE = 10;
export const COLLECTIONS_SHOWN = 4;

export type SpaceRequest = {
  key: string;
  viewerId: string | null;
  cursor: string | null;
  /** True for the page's team, which also sees what is not on sale. */ isInside?: boolean;
};

/**
 * Returns the statements of the page of `key` (a username or an id). They join the round trip of a
 * page that reads more.
 */
export function spaceStatements(ctx: Context, { key, viewerId, cursor }: SpaceRequest) {
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
export type SpaceRows = RowsOf<ReturnType<typeof spaceStatements>>;

const visitorReads = preparePageReads((ctx: Context, value) =>
  spaceStatements(ctx, { key: value("key"), viewerId: null, cursor: null }),
);
const memberReads = preparePageReads((ctx: Context, value) =>
  spaceStatements(ctx, { key: value("key"), viewerId: value("viewerId"), cursor: null }),
);

/** Reads the page in one round trip. A first page is asked for most: its SQL is built once. */
export async function spaceRows(ctx: Context, asked: SpaceRequest): Promise<SpaceRows> {
  const { key, viewerId, cursor } = asked;
  if (cursor !== null) return await ctx.db.batch(spaceStatements(ctx, asked));
  if (viewerId === null) return await ctx.db.batch(visitorReads(ctx, { key }));
  return await ctx.db.batch(memberReads(ctx, { key, viewerId }));
}
