import { linkSlugSql } from "#app/domain/profiles/queries/link-marks.server.ts";
import { and, eq, notExists, or, sql } from "drizzle-orm";
import { commit, mustChangeOne, guardStatement } from "#app/db/client.server.ts";
import type { DbStatement, BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  CannotBlockYourself,
  CannotFollow,
  CannotFollowYourself,
  ProfileNotFound,
  SpaceAlreadyOpen,
  SubscriptionBetween,
  TooManyFollows,
} from "./errors.ts";
import { followTarget, payingSubscriberStatement, payingSubscriber } from "./queries.server.ts";
import { announceReading } from "#app/domain/outbox.server.ts";
import { isMutedBy, profileName } from "#app/domain/profiles/queries/names.server.ts";
import type { ProfileMessage } from "#app/domain/profiles/schema/outbox.ts";
import type { ProfileInput } from "./schema.ts";
import type { ProfileLink } from "#app/domain/profiles/rules/links.ts";
import { FOLLOW_RATE_LIMITS } from "#app/domain/profiles/rules/limits.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import { blocks, follows, mutes, profiles } from "#drizzle/schema/profiles.ts";
import { releaseUsernameStatement } from "./commands/username.server.ts";

/**
 * Builds the writes of a new person's profile, for the batch that creates the person: a member
 * always has one. `username` is lower-case and validated. The index `profiles.username` refuses a
 * taken one (UniqueViolation).
 */
export function registerProfileStatements(
  ctx: Context,
  { personId, username, name }: { personId: string; username: string; name: string },
) {
  const own = { personId, username: username.toLowerCase() };
  return [
    releaseUsernameStatement(ctx, own),
    ctx.db.insert(profiles).values({ ...own, name, createdAt: ctx.now() }),
  ];
}

/**
 * Builds the writes of the name and username that a person chooses at the end of registration. The
 * index `profiles.username` refuses a taken username.
 */
export function renameProfileWrites(
  ctx: Context,
  { personId, username, name }: { personId: string; username: string; name: string },
): BatchWrite[] {
  return [
    releaseUsernameStatement(ctx, { personId, username }),
    mustChangeOne(
      ctx.db.update(profiles).set({ username, name }).where(eq(profiles.personId, personId)),
    ),
  ];
}

export type ProfileChange = ProfileInput & {
  personId: string;
  /** New images that are already stored; null changes nothing. */
  avatarMediaId: string | null;
  bannerMediaId: string | null;
  /** All links, in their order. Left out, nothing changes. */
  links?: ProfileLink[];
};

/** Opens the person's page: they are a creator from now on. Refuses a second opening. */
export async function openSpace(ctx: Context, change: ProfileChange): Promise<void> {
  const open = ctx.db
    .update(profiles)
    .set({ ...columnsOf(change), isCreator: true })
    .where(and(eq(profiles.personId, change.personId), eq(profiles.isCreator, false)));
  try {
    await commit(ctx.db, [mustChangeOne(open)]);
  } catch (error) {
    throw error instanceof StaleWrite ? new SpaceAlreadyOpen() : error;
  }
}

/** Updates the profile's texts and, when given, its images. */
export async function updateProfile(ctx: Context, change: ProfileChange): Promise<void> {
  const update = ctx.db
    .update(profiles)
    .set(columnsOf(change))
    .where(eq(profiles.personId, change.personId));
  try {
    await commit(ctx.db, [mustChangeOne(update)]);
  } catch (error) {
    throw error instanceof StaleWrite ? new ProfileNotFound() : error;
  }
}

/**
 * Follows `creatorId`, by the link whose slug is `link`. Safe to repeat: one row a pair, and a
 * trigger moves the counter only for a new row. Refuses oneself, a person who is no creator, a
 * block in either direction, and TooManyFollows.
 */
export async function follow(
  ctx: Context,
  {
    followerId,
    creatorId,
    link = null,
  }: { followerId: string; creatorId: string; link?: string | null },
): Promise<void> {
  if (followerId === creatorId) throw new CannotFollowYourself();
  const target = await followTarget(ctx, { followerId, creatorId });
  if (!target?.isCreator) throw new ProfileNotFound();
  if (target.isBlocked) throw new CannotFollow();
  const counted = { act: "follow", personId: followerId, limits: FOLLOW_RATE_LIMITS };
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, counted),
      requireUnblockedStatement(ctx, { personId: followerId, otherId: creatorId }),
      ensureFollowingStatement(ctx, { followerId, creatorId, link }),
      announceReading<ProfileMessage, "followerName">(
        ctx,
        `followed:${creatorId}:${followerId}`,
        { type: "profile.followed", creatorId, followerId },
        { followerName: profileName(followerId) },
        sql`NOT ${isMutedBy({ personId: creatorId, otherId: followerId })}`,
      ),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    const freeAt = await rateLimitResetAt(ctx, counted);
    throw freeAt > ctx.now() ? new TooManyFollows(freeAt) : new CannotFollow();
  }
}

/**
 * Builds the statement that makes a person a follower, for the batch that ends what they paid for.
 * Safe to repeat. The caller ensures that there is no block.
 */
export function ensureFollowingStatement(
  ctx: Context,
  {
    followerId,
    creatorId,
    link = null,
  }: { followerId: string; creatorId: string; link?: string | null },
) {
  const linkSlug = linkSlugSql(creatorId, link);
  return ctx.db
    .insert(follows)
    .values({ followerId, creatorId, createdAt: ctx.now(), linkSlug })
    .onConflictDoNothing();
}

/** Stops following. Safe to repeat. */
export async function unfollow(
  ctx: Context,
  { followerId, creatorId }: { followerId: string; creatorId: string },
): Promise<void> {
  await commit(ctx.db, [
    ctx.db
      .delete(follows)
      .where(and(eq(follows.followerId, followerId), eq(follows.creatorId, creatorId))),
  ]);
}

/** Two people, by id: the actor and the target. */
export type PersonPair = { personId: string; otherId: string };

/**
 * Blocks a person: neither sees or follows the other any more. Safe to repeat. Refuses oneself, and
 * while one pays the other: a payer must get what they paid for (CDC, arts. 30 and 35). INVARIANT:
 * no subscription starts across a block. No block is made across a live subscription, in whichever
 * order they are written. Either batch checks for the other (`requireUnblockedStatement`).
 */
export async function block(ctx: Context, { personId, otherId }: PersonPair): Promise<void> {
  if (personId === otherId) throw new CannotBlockYourself();
  const eitherWay = or(
    and(eq(follows.followerId, personId), eq(follows.creatorId, otherId)),
    and(eq(follows.followerId, otherId), eq(follows.creatorId, personId)),
  );
  try {
    await commit(ctx.db, [
      guardStatement(ctx.db, notExists(payingSubscriberStatement(ctx, { personId, otherId }))),
      ctx.db
        .insert(blocks)
        .values({ blockerId: personId, blockedId: otherId, createdAt: ctx.now() })
        .onConflictDoNothing(),
      ctx.db.delete(follows).where(eitherWay),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    const payer = await payingSubscriber(ctx, { personId, otherId });
    // The subscription between the two ended a moment ago.
    if (payer === null) return await block(ctx, { personId, otherId });
    throw new SubscriptionBetween(payer === personId ? "payer" : "paid");
  }
}

/**
 * Builds the guard for a batch that starts anything between two people. Refuses it as stale where
 * one of them blocked the other.
 */
export function requireUnblockedStatement(
  ctx: Context,
  { personId, otherId }: PersonPair,
): DbStatement {
  return guardStatement(ctx.db, sql`NOT ${isBlockedBetween(personId, sql`${otherId}`)}`);
}

/**
 * Removes the person's own block. The other person's block stays. Earlier follows do not return.
 * Safe to repeat.
 */
export async function unblock(ctx: Context, { personId, otherId }: PersonPair): Promise<void> {
  await commit(ctx.db, [
    ctx.db.delete(blocks).where(and(eq(blocks.blockerId, personId), eq(blocks.blockedId, otherId))),
  ]);
}

/**
 * Hides what `otherId` publishes from the person's own lists. Notifies nobody. Safe to repeat.
 * Refuses oneself.
 */
export async function mute(ctx: Context, { personId, otherId }: PersonPair): Promise<void> {
  if (personId === otherId) throw new CannotBlockYourself();
  await commit(ctx.db, [
    ctx.db
      .insert(mutes)
      .values({ muterId: personId, mutedId: otherId, createdAt: ctx.now() })
      .onConflictDoNothing(),
  ]);
}

/** Safe to repeat. */
export async function unmute(ctx: Context, { personId, otherId }: PersonPair): Promise<void> {
  await commit(ctx.db, [
    ctx.db.delete(mutes).where(and(eq(mutes.muterId, personId), eq(mutes.mutedId, otherId))),
  ]);
}

function columnsOf(change: ProfileChange) {
  return {
    name: change.name,
    bio: change.bio,
    craft: change.craft,
    city: change.city,
    ...(change.category === undefined ? {} : { category: change.category }),
    ...(change.avatarMediaId ? { avatarMediaId: change.avatarMediaId } : {}),
    ...(change.links ? { links: JSON.stringify(change.links) } : {}),
    ...(change.bannerMediaId ? { bannerMediaId: change.bannerMediaId } : {}),
  };
}
