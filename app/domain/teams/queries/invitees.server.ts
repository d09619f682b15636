import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { organizationInvitations, organizationMembers } from "#drizzle/schema/teams.ts";

/**
 * Returns the members of a team whose e-mail is in `emails`, and the live invitations to them, for
 * new invitations.
 */
export async function existingInvitees(
  ctx: Context,
  { teamId, emails }: { teamId: string; emails: readonly string[] },
): Promise<{ members: string[]; invited: string[] }> {
  const among = JSON.stringify(emails);
  const [members, invited] = await ctx.db.batch([
    ctx.db
      .select({ email: people.email })
      .from(organizationMembers)
      .innerJoin(people, eq(people.id, organizationMembers.personId))
      .where(
        and(
          eq(organizationMembers.organizationId, teamId),
          isNull(organizationMembers.removedAt),
          sql`${people.email} IN (SELECT value FROM json_each(${among}))`,
        ),
      ),
    ctx.db
      .select({ email: organizationInvitations.email })
      .from(organizationInvitations)
      .where(
        and(
          eq(organizationInvitations.organizationId, teamId),
          eq(organizationInvitations.status, "pending"),
          sql`${organizationInvitations.expiresAt} > ${ctx.now()}`,
          sql`${organizationInvitations.email} IN (SELECT value FROM json_each(${among}))`,
        ),
      ),
  ]);
  return { members: members.map((row) => row.email), invited: invited.map((row) => row.email) };
}

/** Counts the invitations that the teams of `ownerId` sent since `since`, also of deleted teams. */
export async function invitationsSentSince(
  ctx: Context,
  { ownerId, since }: { ownerId: string; since: Instant },
): Promise<number> {
  const ofOwner = sql`${organizationInvitations.organizationId} IN (SELECT id FROM organizations WHERE owner_id = ${ownerId})`;
  return ctx.db.$count(
    organizationInvitations,
    and(ofOwner, gt(organizationInvitations.createdAt, since)),
  );
}

/** Returns who of `emails` has an account, to be notified in the product too. */
export async function peopleByEmail(
  ctx: Context,
  { emails }: { emails: readonly string[] },
): Promise<Map<string, string>> {
  const rows = await ctx.db
    .select({ id: people.id, email: people.email })
    .from(people)
    .where(sql`${people.email} IN (SELECT value FROM json_each(${JSON.stringify(emails)}))`);
  return new Map(rows.map((row) => [row.email, row.id]));
}
