import { and, desc, eq, ne, notInArray, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { CLOSED_SUBSCRIPTION_STATES } from "#app/domain/access/rules.ts";
import type { HeldSubscription } from "#app/domain/access/rules/plan-way.ts";
import {
  isHiddenByAge,
  isBlockedBetween,
  subscribesTo,
  usernameOf,
} from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { similarUsernames } from "./rules.ts";
import type { ProfileForViewer, PublicProfile } from "./schema.ts";
import type { ProfileLink } from "#app/domain/profiles/rules/links.ts";
import { people } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

/** The public columns of a profile. */
export const publicColumns = {
  id: profiles.personId,
  username: profiles.username,
  name: profiles.name,
  bio: profiles.bio,
  city: profiles.city,
  craft: profiles.craft,
  category: profiles.category,
  avatarMediaId: profiles.avatarMediaId,
  bannerMediaId: profiles.bannerMediaId,
  links: sql<ProfileLink[]>`profiles.links`
    .mapWith((text: string): ProfileLink[] => JSON.parse(text))
    .as("profile_links"),
  isCreator: profiles.isCreator,
  followersCount: profiles.followersCount,
  subscribersCount: profiles.subscribersCount,
  postsCount: profiles.postsCount,
  createdAt: sql<number>`profiles.created_at`.as("profile_created_at"),
};

/** Candidates for a similar username: few enough to compare in memory. */
const CANDIDATES_FOR_SIMILAR = 500;

const isBanned = sql`EXISTS (SELECT 1 FROM people banned WHERE banned.id = profiles.person_id AND banned.banned_at IS NOT NULL)`;
const isLeaving = sql`EXISTS (SELECT 1 FROM people leaving WHERE leaving.id = profiles.person_id AND leaving.leaving_at IS NOT NULL)`;
/** Neither banned nor leaving. */
const isHere = sql`NOT EXISTS (SELECT 1 FROM people out INDEXED BY people_out WHERE out.id = profiles.person_id AND (out.banned_at IS NOT NULL OR out.leaving_at IS NOT NULL))`;

/**
 * True for rows of `profiles` that a list can show to `viewerId` (null for a visitor). Leaves out
 * banned and leaving people, and adult pages unless the viewer is a verified adult.
 */
export function isListableProfile(ctx: Context, viewerId: string | null): SQL {
  return sql`(${isHere} AND NOT ${isHiddenByAge(viewerId, sql`profiles.person_id`, ctx.settings.adultSpaces)})`;
}

/** Builds the statement behind `profileByUsername`, for pages that read more in the same round trip. */
export function profileByUsernameStatement(ctx: Context, { username }: { username: string }) {
  return ctx.db
    .select(publicColumns)
    .from(profiles)
    .where(and(eq(profiles.username, username.toLowerCase()), isListableProfile(ctx, null)))
    .limit(1);
}

/**
 * Reads a person's public profile, by username without case. Null when unknown, banned, leaving or
 * for adults.
 */
export async function profileByUsername(
  ctx: Context,
  { username }: { username: string },
): Promise<PublicProfile | null> {
  const [row] = await profileByUsernameStatement(ctx, { username });
  return row ?? null;
}

/**
 * Reads the person of a username, for actions on a person and not for their page. Adult pages are
 * included. Null when unknown, banned or leaving.
 */
export async function personByUsername(
  ctx: Context,
  { username }: { username: string },
): Promise<PublicProfile | null> {
  const [row] = await ctx.db
    .select(publicColumns)
    .from(profiles)
    .where(and(eq(profiles.username, username.toLowerCase()), isHere))
    .limit(1);
  return row ?? null;
}

/** Builds the statement behind `profileOfPerson`, for pages that read more in the same round trip. */
export function profileStatement(ctx: Context, { personId }: { personId: string }) {
  return ctx.db
    .select(publicColumns)
    .from(profiles)
    .where(eq(profiles.personId, personId))
    .limit(1);
}

/** Reads the profile of `personId`, or null. */
export async function profileOfPerson(
  ctx: Context,
  { personId }: { personId: string },
): Promise<PublicProfile | null> {
  const [row] = await profileStatement(ctx, { personId });
  return row ?? null;
}

/** Builds the statement behind `profileFor`. `key` is a person's id or a username. */
export function profileForStatement(
  ctx: Context,
  { key, viewerId }: { key: string; viewerId: string | null },
) {
  const now = ctx.now();
  return (
    ctx.db
      .select({
        ...publicColumns,
        isFollowing:
          sql<number>`EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = ${viewerId} AND f.creator_id = profiles.person_id)`.as(
            "is_following",
          ),
        subscribedPlanId: sql<string | null>`(
        SELECT s.plan_id FROM subscriptions s
        WHERE s.fan_id = ${viewerId} AND s.creator_id = profiles.person_id AND s.status NOT IN ('incomplete', 'expired') AND s.access_until > ${now} LIMIT 1)`.as(
          "subscribed_plan_id",
        ),
        subscriptionId: sql<string | null>`(
        SELECT s.id FROM subscriptions s
        WHERE s.fan_id = ${viewerId} AND s.creator_id = profiles.person_id AND s.status NOT IN ('incomplete', 'expired') AND s.access_until > ${now} LIMIT 1)`.as(
          "subscription_id",
        ),
        heldSubscription: sql<HeldSubscription | null>`COALESCE((
        SELECT json_object('id', s.id, 'planId', s.plan_id, 'status', s.status, 'isGiven', json(iif(s.gifted_by IS NULL AND s.comp_ends_at IS NULL, 'false', 'true')))
        FROM subscriptions s
        WHERE s.fan_id = ${viewerId} AND s.creator_id = profiles.person_id AND s.status NOT IN ('incomplete', 'expired')
        ORDER BY s.status = 'upcoming' LIMIT 1), 'null')`
          .mapWith((text: string): HeldSubscription | null => JSON.parse(text))
          .as("held_subscription"),
        isMuted: sql<number>`${isMutedBy(viewerId)}`.as("is_muted"),
        isSelf: sql<number>`profiles.person_id IS ${viewerId}`.as("is_self"),
        isForAdults: profiles.isAdult,
        isAgeClosed:
          sql<number>`${isHiddenByAge(viewerId, sql`profiles.person_id`, ctx.settings.adultSpaces)}`.as(
            "is_age_closed",
          ),
      })
      .from(profiles)
      .where(
        and(
          or(eq(profiles.personId, key), eq(profiles.username, usernameOf(key))),
          mayLookAt(ctx, viewerId),
          sql`NOT ${isBlockedBetween(viewerId, sql`profiles.person_id`)}`,
        ),
      )
      // A username equal to another person's id does not take their page.
      .orderBy(desc(eq(profiles.personId, key)))
      .limit(1)
  );
}

/**
 * Whether a viewer can open a page in spite of its state. A leaving person's page is open to them
 * and to their payers. Where adult pages are off, one is open to its owner.
 */
function mayLookAt(ctx: Context, viewerId: string | null): SQL {
  const now = ctx.now();
  const isShut = ctx.settings.adultSpaces
    ? sql`0`
    : isHiddenByAge(viewerId, sql`profiles.person_id`, false);
  return sql`NOT ${isBanned} AND NOT ${isShut} AND (NOT ${isLeaving} OR profiles.person_id IS ${viewerId} OR ${subscribesTo(viewerId, sql`profiles.person_id`, now)})`;
}

const NOTHING_SHOWN = {
  bio: "",
  city: "",
  craft: "",
  category: "",
  avatarMediaId: null,
  bannerMediaId: null,
  links: [],
  followersCount: 0,
  subscribersCount: 0,
  postsCount: 0,
};

export type ProfileForViewerRow = Awaited<ReturnType<typeof profileForStatement>>[number];

/**
 * Maps a row to the profile that the viewer sees. A page closed by the viewer's age shows only
 * whose it is.
 */
export function profileForViewer(row: ProfileForViewerRow): ProfileForViewer {
  const profile = {
    ...row,
    isFollowing: row.isFollowing === 1,
    isMuted: row.isMuted === 1,
    isSelf: row.isSelf === 1,
    isAgeClosed: row.isAgeClosed === 1,
  };
  return profile.isAgeClosed ? { ...profile, ...NOTHING_SHOWN } : profile;
}

/**
 * Reads a profile as `viewerId` sees it, by id or username. Null when unknown, banned, or blocked
 * in either direction. Null when leaving for a viewer who does not pay, and for adults where adult
 * pages are off.
 */
export async function profileFor(
  ctx: Context,
  input: { key: string; viewerId: string | null },
): Promise<ProfileForViewer | null> {
  const [row] = await profileForStatement(ctx, input);
  return row ? profileForViewer(row) : null;
}

/**
 * True for rows of `profiles` that `viewerId` (null for a visitor) muted. They are never suggested,
 * and can still be found by name.
 */
export function isMutedBy(viewerId: string | null) {
  return sql`EXISTS (SELECT 1 FROM mutes mute WHERE mute.muter_id = ${viewerId} AND mute.muted_id = profiles.person_id)`;
}

/**
 * Builds the statement that reads creators whom `viewerId` (null for a visitor) neither follows,
 * subscribes to nor muted, most followed first.
 */
export function creatorsToFollowStatement(
  ctx: Context,
  { viewerId, limit }: { viewerId: string | null; limit: number },
) {
  return ctx.db
    .select(publicColumns)
    .from(profiles)
    .where(
      and(
        eq(profiles.isCreator, true),
        viewerId === null ? undefined : ne(profiles.personId, viewerId),
        isListableProfile(ctx, viewerId),
        sql`NOT ${isBlockedBetween(viewerId, sql`profiles.person_id`)}`,
        sql`NOT ${isMutedBy(viewerId)}`,
        sql`NOT EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = ${viewerId} AND f.creator_id = profiles.person_id)`,
        sql`NOT ${subscribesTo(viewerId, sql`profiles.person_id`, ctx.now())}`,
      ),
    )
    .orderBy(desc(profiles.followersCount), desc(profiles.personId))
    .limit(limit);
}

export async function creatorsToFollow(
  ctx: Context,
  input: { viewerId: string | null; limit: number },
): Promise<PublicProfile[]> {
  return creatorsToFollowStatement(ctx, input);
}

/** Returns creators whose username is similar to `username`, for a page that was not found. */
export async function creatorsByUsername(
  ctx: Context,
  { username, limit }: { username: string; limit: number },
): Promise<PublicProfile[]> {
  const candidates = await ctx.db
    .select(publicColumns)
    .from(profiles)
    .where(and(eq(profiles.isCreator, true), isListableProfile(ctx, null)))
    .orderBy(desc(profiles.followersCount))
    .limit(CANDIDATES_FOR_SIMILAR);
  return similarUsernames(username, candidates, limit);
}

/** Reads what `follow` must know of its target. Null when that person cannot be followed. */
export async function followTarget(
  ctx: Context,
  { followerId, creatorId }: { followerId: string; creatorId: string },
): Promise<{ isCreator: boolean; isBlocked: boolean } | null> {
  const [row] = await ctx.db
    .select({
      isCreator: profiles.isCreator,
      bannedAt: people.bannedAt,
      leavingAt: people.leavingAt,
      isBlocked: sql<number>`${isBlockedBetween(followerId, sql`profiles.person_id`)}`.as(
        "is_blocked",
      ),
    })
    .from(profiles)
    .innerJoin(people, eq(people.id, profiles.personId))
    .where(eq(profiles.personId, creatorId))
    .limit(1);
  if (!row || row.bannedAt !== null || row.leavingAt !== null) return null;
  return { isCreator: row.isCreator, isBlocked: row.isBlocked === 1 };
}

/** Returns who of two people has paid access to the other's page that still runs. Null when neither. */
export async function payingSubscriber(
  ctx: Context,
  pair: { personId: string; otherId: string },
): Promise<string | null> {
  const [row] = await payingSubscriberStatement(ctx, pair);
  return row?.payer ?? null;
}

/** Builds the statement of `payingSubscriber`. No row when neither has. */
export function payingSubscriberStatement(
  ctx: Context,
  { personId, otherId }: { personId: string; otherId: string },
) {
  const isBetween = or(
    and(eq(subscriptions.fanId, personId), eq(subscriptions.creatorId, otherId)),
    and(eq(subscriptions.fanId, otherId), eq(subscriptions.creatorId, personId)),
  );
  return ctx.db
    .select({ payer: subscriptions.fanId })
    .from(subscriptions)
    .where(and(isBetween, notInArray(subscriptions.status, [...CLOSED_SUBSCRIPTION_STATES])))
    .limit(1);
}
