import { and, eq, isNull, sql } from "drizzle-orm";
import { isHiddenByAge, isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { people } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** Returns the people of usernames, by lower-case username. Leaves out unknown ones. */
export async function peopleByUsername(
  ctx: Context,
  { usernames }: { usernames: readonly string[] },
): Promise<{ personId: string; username: string }[]> {
  if (usernames.length === 0) return [];
  return ctx.db
    .select({ personId: profiles.personId, username: profiles.username })
    .from(profiles)
    .innerJoin(people, eq(people.id, profiles.personId))
    .where(
      and(
        sql`${profiles.username} IN (SELECT value FROM json_each(${JSON.stringify(usernames)}))`,
        isNull(people.bannedAt),
      ),
    );
}

/**
 * Returns those of `others` who must not be notified of the person's comments on a page of
 * `hostId`. There is a block between them, they muted the person, or their age closes the page to
 * them.
 */
export async function unreachableRecipients(
  ctx: Context,
  { personId, hostId, others }: { personId: string; hostId: string; others: string[] },
): Promise<Set<string>> {
  const muted = sql`EXISTS (SELECT 1 FROM mutes m WHERE m.muter_id = ${people.id} AND m.muted_id = ${personId})`;
  const isAgeClosed = isHiddenByAge(sql`${people.id}`, sql`${hostId}`, ctx.settings.adultSpaces);
  const rows = await ctx.db
    .select({ id: people.id })
    .from(people)
    .where(
      and(
        sql`${people.id} IN (SELECT value FROM json_each(${JSON.stringify(others)}))`,
        sql`(${isBlockedBetween(personId, sql`${people.id}`)} OR ${muted} OR ${isAgeClosed})`,
      ),
    );
  return new Set(rows.map(({ id }) => id));
}
