import { and, desc, eq, isNull, notInArray, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { CLOSED_SUBSCRIPTION_STATES } from "#app/domain/access/rules.ts";
import { isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { postFromRow, spacePostsStatement } from "#app/domain/posts/queries.server.ts";
import type { Post } from "#app/domain/posts/schema.ts";
import {
  profileByUsernameStatement,
  profileForStatement,
  profileForViewer,
} from "#app/domain/profiles/queries.server.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";
import type { FeedReader } from "#app/domain/syndication/schema.ts";
import { people } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { privateFeeds } from "#drizzle/schema/syndication.ts";

/** Feed readers poll often and store entries, so the latest are enough. */
const ENTRIES = 30;

export type FeedSource = { profile: PublicProfile; posts: Post[] };

/**
 * Reads a page and its latest public posts, by username. Null for an unknown page, and for one that
 * not everybody can see.
 */
export async function publicFeed(
  ctx: Context,
  { username }: { username: string },
): Promise<FeedSource | null> {
  const [[profile], rows] = await ctx.db.batch([
    profileByUsernameStatement(ctx, { username }),
    spacePostsStatement(ctx, { authorKey: username, viewerId: null, cursor: null, limit: ENTRIES }),
  ]);
  if (!profile) return null;
  return {
    profile,
    posts: rows.slice(0, ENTRIES).flatMap((row) => postFromRow(row, null, ctx.now()) ?? []),
  };
}

/**
 * Reads a page and its latest posts as the owner of a private feed sees them now. Null when they
 * cannot see the page.
 */
export async function privateFeed(
  ctx: Context,
  { personId, creatorId }: FeedReader,
): Promise<FeedSource | null> {
  const seen = { viewerId: personId, key: creatorId };
  const [[row], rows] = await ctx.db.batch([
    profileForStatement(ctx, seen),
    spacePostsStatement(ctx, {
      authorKey: creatorId,
      viewerId: personId,
      cursor: null,
      limit: ENTRIES,
    }),
  ]);
  const profile = row && profileForViewer(row);
  if (!profile || profile.isAgeClosed) return null;
  return {
    profile,
    posts: rows.slice(0, ENTRIES).flatMap((post) => postFromRow(post, personId, ctx.now()) ?? []),
  };
}

/**
 * Returns whose feed a token or an id opens, or null. It works while its subscription gives access,
 * or the one that starts after it. Null when either person is banned or deleted, the owner is
 * leaving, or a block is between them.
 */
export async function feedReader(
  ctx: Context,
  by: { tokenHash: string } | { feedId: string },
): Promise<FeedReader | null> {
  const isAsked =
    "tokenHash" in by ? eq(privateFeeds.tokenHash, by.tokenHash) : eq(privateFeeds.id, by.feedId);
  const [row] = await ctx.db
    .select({
      feedId: privateFeeds.id,
      personId: privateFeeds.personId,
      creatorId: privateFeeds.creatorId,
    })
    .from(privateFeeds)
    .innerJoin(subscriptions, isOfFeed)
    .innerJoin(people, eq(people.id, privateFeeds.personId))
    .where(
      and(
        isAsked,
        isNull(privateFeeds.revokedAt),
        gives(ctx),
        isHere,
        sql`NOT ${isBlockedBetween(sql`private_feeds.person_id`, sql`private_feeds.creator_id`)}`,
      ),
    )
    .limit(1);
  return row ?? null;
}

/**
 * Joins by the two people first. Only a gift or a complimentary subscription has a following one,
 * so the few rows of the pair are enough.
 */
const isOfFeed = and(
  eq(subscriptions.creatorId, privateFeeds.creatorId),
  eq(subscriptions.fanId, privateFeeds.personId),
  or(
    eq(subscriptions.id, privateFeeds.subscriptionId),
    eq(subscriptions.beginsAfter, privateFeeds.subscriptionId),
  ),
);

const isHere = sql`people.banned_at IS NULL AND people.leaving_at IS NULL AND people.deleted_at IS NULL`;

/** True for a subscription of the query that gives access now. */
function gives(ctx: Context): SQL | undefined {
  return and(
    sql`${subscriptions.accessUntil} > ${ctx.now()}`,
    notInArray(subscriptions.status, [...CLOSED_SUBSCRIPTION_STATES]),
  );
}

/** A subscribed creator, and since when the person has a private feed of them; null without one. */
export type FeedOfSubscription = {
  subscriptionId: string;
  creatorId: string;
  username: string;
  name: string;
  avatarMediaId: string | null;
  feedSince: number | null;
};

const feedColumns = {
  subscriptionId: subscriptions.id,
  creatorId: subscriptions.creatorId,
  username: profiles.username,
  name: profiles.name,
  avatarMediaId: profiles.avatarMediaId,
  startedAt: sql<number>`subscriptions.created_at`.as("started_at"),
  feedSince: sql<
    number | null
  >`(SELECT feed.created_at FROM private_feeds feed WHERE feed.subscription_id IN (subscriptions.id, subscriptions.begins_after) AND feed.revoked_at IS NULL)`.as(
    "feed_since",
  ),
};

function openSubscriptions(ctx: Context, personId: string) {
  return ctx.db
    .select(feedColumns)
    .from(subscriptions)
    .innerJoin(profiles, eq(profiles.personId, subscriptions.creatorId))
    .where(and(eq(subscriptions.fanId, personId), gives(ctx)))
    .$dynamic();
}

/** Reads a person's subscribed creators, latest first, with the state of each private feed. */
export async function privateFeedSubscriptions(
  ctx: Context,
  { personId, cursor, limit }: { personId: string; cursor: string | null; limit: number },
): Promise<Page<FeedOfSubscription>> {
  const last = decodeCursor(cursor);
  const after = last
    ? sql`(subscriptions.created_at, subscriptions.id) < (${last.at}, ${last.id})`
    : undefined;
  const rows = await openSubscriptions(ctx, personId)
    .where(and(eq(subscriptions.fanId, personId), gives(ctx), after))
    .orderBy(desc(subscriptions.createdAt), desc(subscriptions.id))
    .limit(limit + 1);
  return pageOf(rows, limit, (row) => ({ at: row.startedAt, id: row.subscriptionId }));
}

/**
 * Reads a person's subscription to a creator, by username, with the state of its private feed. Null
 * when it gives no access now.
 */
export async function feedOfSubscription(
  ctx: Context,
  { personId, username }: { personId: string; username: string },
): Promise<FeedOfSubscription | null> {
  const [row] = await openSubscriptions(ctx, personId)
    .where(
      and(
        eq(subscriptions.fanId, personId),
        gives(ctx),
        eq(profiles.username, username.toLowerCase()),
      ),
    )
    .limit(1);
  return row ?? null;
}
