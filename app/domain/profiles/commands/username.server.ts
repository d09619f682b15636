import { and, eq, lte, or, sql } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { DbStatement, BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { FORMER_USERNAMES_MAX, usernameHeldUntil } from "#app/domain/profiles/rules/usernames.ts";
import { formerUsernames, profiles } from "#drizzle/schema/profiles.ts";

type UsernameClaim = { personId: string; username: string };

/**
 * Releases `username` where its year is over, and where it was the person's own. Goes into the
 * batch of the write that takes it.
 */
export function releaseUsernameStatement(
  ctx: Context,
  { personId, username }: UsernameClaim,
): DbStatement {
  const isFree = or(
    lte(formerUsernames.heldUntil, ctx.now()),
    eq(formerUsernames.personId, personId),
  );
  return ctx.db.delete(formerUsernames).where(and(eq(formerUsernames.username, username), isFree));
}

/**
 * Builds the writes that change a person's username. The old one redirects to them for a year and
 * nobody else can take it. The database refuses a taken or reserved one (`profiles.username`).
 * Stale when the username changed meanwhile, or they hold FORMER_USERNAMES_MAX already.
 */
export function changeUsernameWrites(
  ctx: Context,
  { personId, from, username }: UsernameClaim & { from: string },
): BatchWrite[] {
  const now = ctx.now();
  const room = sql`(SELECT count(*) FROM ${formerUsernames} WHERE ${formerUsernames.personId} = ${personId} AND ${formerUsernames.heldUntil} > ${now}) < ${FORMER_USERNAMES_MAX}`;
  const held = ctx.db
    .insert(formerUsernames)
    .select(sql`SELECT ${from}, ${personId}, ${now}, ${usernameHeldUntil(now)} WHERE ${room}`);
  const renamed = ctx.db
    .update(profiles)
    .set({ username })
    .where(and(eq(profiles.personId, personId), eq(profiles.username, from)));
  return [
    releaseUsernameStatement(ctx, { personId, username }),
    releaseUsernameStatement(ctx, { personId, username: from }),
    mustChangeOne(held),
    mustChangeOne(renamed),
  ];
}
