import { and, asc, desc, eq, gt, or } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { FORMER_USERNAMES_MAX } from "#app/domain/profiles/rules/usernames.ts";
import { formerUsernames, profiles } from "#drizzle/schema/profiles.ts";

/**
 * Returns a person's former usernames that still redirect to them, the first to expire first.
 * `usernameHeldUntil` is in epoch milliseconds.
 */
export async function formerUsernamesOf(
  ctx: Context,
  { personId }: { personId: string },
): Promise<{ username: string; heldUntil: number }[]> {
  return ctx.db
    .select({ username: formerUsernames.username, heldUntil: formerUsernames.heldUntil })
    .from(formerUsernames)
    .where(and(eq(formerUsernames.personId, personId), gt(formerUsernames.heldUntil, ctx.now())))
    .orderBy(asc(formerUsernames.heldUntil))
    .limit(FORMER_USERNAMES_MAX);
}

/** Returns the current username of a person who left `username` less than a year ago, or null. */
export async function usernameSince(
  ctx: Context,
  { username }: { username: string },
): Promise<string | null> {
  const row = await ctx.db
    .select({ username: profiles.username })
    .from(formerUsernames)
    .innerJoin(profiles, eq(profiles.personId, formerUsernames.personId))
    .where(
      and(
        eq(formerUsernames.username, username.toLowerCase()),
        gt(formerUsernames.heldUntil, ctx.now()),
      ),
    )
    .get();
  return row?.username ?? null;
}

/**
 * Returns today's username of the person of `key`: their id, their username in any case, or one
 * that they left less than a year ago. Null when nobody has it.
 */
export async function currentUsername(
  ctx: Context,
  { key }: { key: string },
): Promise<string | null> {
  const row = await ctx.db
    .select({ username: profiles.username })
    .from(profiles)
    .where(or(eq(profiles.personId, key), eq(profiles.username, key.toLowerCase())))
    .orderBy(desc(eq(profiles.personId, key)))
    .get();
  return row?.username ?? usernameSince(ctx, { username: key });
}
