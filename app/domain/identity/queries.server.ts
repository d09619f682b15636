import { and, eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { people } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** A person with their profile, as the database has them. */
export type MemberRow = {
  id: string;
  email: string;
  bannedAt: number | null;
  isModerator: boolean;
  username: string;
  name: string;
  avatarMediaId: string | null;
  isCreator: boolean;
};

/** The member whom a provider calls `providerUserId`, or null when the product has not seen them yet. */
export async function memberByProviderUser(
  ctx: Context,
  input: { provider: string; providerUserId: string },
): Promise<MemberRow | null> {
  const row = await ctx.db
    .select({
      id: people.id,
      email: people.email,
      bannedAt: people.bannedAt,
      isModerator: people.isModerator,
      username: profiles.username,
      name: profiles.name,
      avatarMediaId: profiles.avatarMediaId,
      isCreator: profiles.isCreator,
    })
    .from(people)
    .innerJoin(profiles, eq(profiles.personId, people.id))
    .where(and(eq(people.provider, input.provider), eq(people.providerUserId, input.providerUserId)))
    .get();
  return row ?? null;
}

/** What `/auth/account` shows of a person: since when they are here, in epoch milliseconds. */
export async function personSince(ctx: Context, input: { personId: string }): Promise<number | null> {
  const row = await ctx.db.select({ createdAt: people.createdAt }).from(people).where(eq(people.id, input.personId)).get();
  return row?.createdAt ?? null;
}

/** Whether a profile already answers to `username`, which is lower-case. */
export async function usernameInUse(ctx: Context, input: { username: string }): Promise<boolean> {
  const row = await ctx.db.select({ id: profiles.personId }).from(profiles).where(eq(profiles.username, input.username)).get();
  return row !== undefined;
}
