import { and, eq, gt } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { people } from "#drizzle/schema/identity.ts";
import { formerUsernames, profiles } from "#drizzle/schema/profiles.ts";
import type { MemberRow } from "./schema.ts";

/** Reads the member of a provider's `providerUserId`, or null before the first sign-in here. */
export async function memberByProviderUser(
  ctx: Context,
  input: { provider: string; providerUserId: string },
): Promise<MemberRow | null> {
  const row = await memberStatement(ctx, input).get();
  return row ?? null;
}

/**
 * Builds the statement behind `memberByProviderUser`, for callers that read more in the same round
 * trip. `providerUserId` may be an SQL expression.
 */
export function memberStatement(
  { db }: Pick<Context, "db">,
  { provider, providerUserId }: { provider: string; providerUserId: string | SQL },
) {
  return db
    .select({
      id: people.id,
      email: people.email,
      bannedAt: people.bannedAt,
      leavingAt: people.leavingAt,
      deletedAt: people.deletedAt,
      registeredAt: people.registeredAt,
      isModerator: people.isModerator,
      username: profiles.username,
      name: profiles.name,
      avatarMediaId: profiles.avatarMediaId,
      isCreator: profiles.isCreator,
    })
    .from(people)
    .innerJoin(profiles, eq(profiles.personId, people.id))
    .where(and(eq(people.provider, provider), eq(people.providerUserId, providerUserId)));
}

/** Whether a person requested deletion or was deleted: they can buy nothing more. */
export async function isAccountClosing(
  ctx: Context,
  input: { personId: string },
): Promise<boolean> {
  const row = await ctx.db
    .select({ leavingAt: people.leavingAt })
    .from(people)
    .where(eq(people.id, input.personId))
    .get();
  return row !== undefined && row.leavingAt !== null;
}

/** Returns since when a person has an account, for `/auth/account`, in epoch milliseconds. */
export async function memberSince(
  ctx: Context,
  input: { personId: string },
): Promise<number | null> {
  const row = await ctx.db
    .select({ createdAt: people.createdAt })
    .from(people)
    .where(eq(people.id, input.personId))
    .get();
  return row?.createdAt ?? null;
}

/** Whether a profile has `username` (lower-case), or left it less than a year ago. */
export async function usernameInUse(
  ctx: Context,
  { username }: { username: string },
): Promise<boolean> {
  const [taken, held] = await ctx.db.batch([
    ctx.db.select({ id: profiles.personId }).from(profiles).where(eq(profiles.username, username)),
    ctx.db
      .select({ id: formerUsernames.personId })
      .from(formerUsernames)
      .where(and(eq(formerUsernames.username, username), gt(formerUsernames.heldUntil, ctx.now()))),
  ]);
  return taken.length > 0 || held.length > 0;
}
