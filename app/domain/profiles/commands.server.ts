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
} from "#app/domain/profiles/errors.ts";
import {
  followTarget,
  payingSubscriberStatement,
  payingSubscriber,
} from "#app/domain/profiles/queries.server.ts";
import type { ProfileInput } from "#app/domain/profiles/schema.ts";
import type { ProfileLink } from "#app/domain/profiles/rules/links.ts";
import { blocks, follows, mutes, profiles } from "#drizzle/schema/profiles.ts";
import { releaseUsernameStatement } from "./commands/username.server.ts";

/**
 * The profile of a new person, for the batch that makes the person: a member always has one.
 * `username` is lower-case and already judged; a taken one is refused by the index
 * `profiles.username` (UniqueViolation).
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
 * The name and username that a person chooses when finishing their registration. A taken username
 * is refused by the index `profiles.username`.
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
  /** New images already kept; null leaves what is there. */
  avatarMediaId: string | null;
  bannerMediaId: string | null;
  /** All of them, in their order; left out leaves what is there. */
  links?: ProfileLink[];
};

/** Opens the person's page: from now on they create. Refuses a second opening. */
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

/** Changes what the profile says and, when given, how it looks. */
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
 * Follows `creatorId`. Safe to repeat: one row a pair, and the counter moves by a trigger only when
 * a row is really added. Refuses oneself, who does not create, and a block in either direction.
 */
export async function follow(
  ctx: Context,
  { followerId, creatorId }: { followerId: string; creatorId: string },
): Promise<void> {
  if (followerId === creatorId) throw new CannotFollowYourself();
  const target = await followTarget(ctx, { followerId, creatorId });
  if (!target?.isCreator) throw new ProfileNotFound();
  if (target.isBlocked) throw new CannotFollow();
  try {
    await commit(ctx.db, [
      requireUnblockedStatement(ctx, { personId: followerId, otherId: creatorId }),
      ensureFollowingStatement(ctx, { followerId, creatorId }),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new CannotFollow() : error;
  }
}

/**
 * The statement that makes somebody a follower, for the batch that ends what they paid for. Safe to
 * repeat; the caller knows of no block.
 */
export function ensureFollowingStatement(
  ctx: Context,
  { followerId, creatorId }: { followerId: string; creatorId: string },
) {
  return ctx.db
    .insert(follows)
    .values({ followerId, creatorId, createdAt: ctx.now() })
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

/** Two people, by id: who acts, and whom it is about. */
export type PersonPair = { personId: string; otherId: string };

/**
 * From now on neither sees the other, and neither follows the other. Safe to repeat. Refuses
 * oneself, and while one pays the other: whoever paid must get what they paid for (CDC, arts. 30
 * and 35). INVARIANT: no subscription begins across a block, and no block is made across a live
 * one, whichever of the two is written first: either batch looks for the other
 * (`requireUnblockedStatement`).
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
    // What ran between the two ended a moment ago.
    if (payer === null) return await block(ctx, { personId, otherId });
    throw new SubscriptionBetween(payer === personId ? "payer" : "paid");
  }
}

/**
 * For the batch by which anything begins between two people: refuses it as stale where one of them
 * blocked the other.
 */
export function requireUnblockedStatement(
  ctx: Context,
  { personId, otherId }: PersonPair,
): DbStatement {
  return guardStatement(ctx.db, sql`NOT ${isBlockedBetween(personId, sql`${otherId}`)}`);
}

/**
 * Takes the person's own block away; the other's stays. Who followed before does not follow again
 * by itself. Safe to repeat.
 */
export async function unblock(ctx: Context, { personId, otherId }: PersonPair): Promise<void> {
  await commit(ctx.db, [
    ctx.db.delete(blocks).where(and(eq(blocks.blockerId, personId), eq(blocks.blockedId, otherId))),
  ]);
}

/**
 * What `otherId` publishes no longer appears in the person's own lists. Says nothing to anybody.
 * Safe to repeat. Refuses oneself.
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
