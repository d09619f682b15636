import { and, eq } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { CannotFollow, CannotFollowYourself, ProfileNotFound, SpaceAlreadyOpen } from "#app/domain/profiles/errors.ts";
import { followTarget } from "#app/domain/profiles/queries.server.ts";
import type { ProfileInput } from "#app/domain/profiles/schema.ts";
import { follows, profiles } from "#drizzle/schema/profiles.ts";

/**
 * The profile of a new person, for the batch that makes the person: a member always has one. `username` is lower-case and
 * already judged; a taken one is refused by the index `profiles.username` (UniqueViolation).
 */
export function registerProfileStatements(ctx: Context, { personId, username, name }: { personId: string; username: string; name: string }) {
  return [ctx.db.insert(profiles).values({ personId, username: username.toLowerCase(), name, createdAt: ctx.now() })];
}

export type ProfileChange = ProfileInput & {
  personId: string;
  /** New images already kept; null leaves what is there. */
  avatarMediaId: string | null;
  bannerMediaId: string | null;
};

/** Opens the person's page: from now on they create. Refuses a second opening. */
export async function openSpace(ctx: Context, change: ProfileChange): Promise<void> {
  const open = ctx.db
    .update(profiles)
    .set({ ...columnsOf(change), isCreator: true })
    .where(and(eq(profiles.personId, change.personId), eq(profiles.isCreator, false)));
  try {
    await commit(ctx.db, [exactlyOne(open)]);
  } catch (error) {
    throw error instanceof StaleWrite ? new SpaceAlreadyOpen() : error;
  }
}

/** Changes what the profile says and, when given, how it looks. */
export async function updateProfile(ctx: Context, change: ProfileChange): Promise<void> {
  const update = ctx.db.update(profiles).set(columnsOf(change)).where(eq(profiles.personId, change.personId));
  try {
    await commit(ctx.db, [exactlyOne(update)]);
  } catch (error) {
    throw error instanceof StaleWrite ? new ProfileNotFound() : error;
  }
}

/**
 * Follows `creatorId`. Safe to repeat: one row a pair, and the counter moves by a trigger only when a row is really
 * added. Refuses oneself, who does not create, and a block in either direction.
 */
export async function follow(ctx: Context, { followerId, creatorId }: { followerId: string; creatorId: string }): Promise<void> {
  if (followerId === creatorId) throw new CannotFollowYourself();
  const target = await followTarget(ctx, { followerId, creatorId });
  if (!target?.isCreator) throw new ProfileNotFound();
  if (target.isBlocked) throw new CannotFollow();
  await commit(ctx.db, [ctx.db.insert(follows).values({ followerId, creatorId, createdAt: ctx.now() }).onConflictDoNothing()]);
}

/** Stops following. Safe to repeat. */
export async function unfollow(ctx: Context, { followerId, creatorId }: { followerId: string; creatorId: string }): Promise<void> {
  await commit(ctx.db, [
    ctx.db.delete(follows).where(and(eq(follows.followerId, followerId), eq(follows.creatorId, creatorId))),
  ]);
}

function columnsOf(change: ProfileChange) {
  return {
    name: change.name,
    bio: change.bio,
    craft: change.craft,
    city: change.city,
    ...(change.avatarMediaId ? { avatarMediaId: change.avatarMediaId } : {}),
    ...(change.bannerMediaId ? { bannerMediaId: change.bannerMediaId } : {}),
  };
}
