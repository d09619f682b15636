import { and, eq, isNull, sql } from "drizzle-orm";
import type { DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  membershipRequests,
  organizationInvitations,
  organizationMembers,
  organizations,
} from "#drizzle/schema/teams.ts";

/**
 * Removes a person from every team and ends the team of their page for everybody, as when they
 * delete it. Erases invitations to their address.
 */
export function eraseMembershipsStatements(
  ctx: Context,
  { personId, email }: { personId: string; email: string },
): DbStatement[] {
  const now = ctx.now();
  const owned = sql`(SELECT id FROM organizations WHERE owner_id = ${personId})`;
  const live = isNull(organizationMembers.removedAt);
  return [
    ctx.db
      .update(organizations)
      .set({ deletedAt: now, updatedAt: now })
      .where(and(eq(organizations.ownerId, personId), isNull(organizations.deletedAt))),
    ctx.db
      .update(organizationMembers)
      .set({ removedAt: now, mayManageBilling: false })
      .where(and(sql`${organizationMembers.organizationId} IN ${owned}`, live)),
    ctx.db
      .update(organizationMembers)
      .set({ removedAt: now, mayManageBilling: false })
      .where(and(eq(organizationMembers.personId, personId), live)),
    ctx.db
      .delete(organizationInvitations)
      .where(
        sql`${organizationInvitations.organizationId} IN ${owned} OR ${organizationInvitations.email} = ${email}`,
      ),
    ctx.db
      .delete(membershipRequests)
      .where(
        sql`${membershipRequests.organizationId} IN ${owned} OR ${membershipRequests.personId} = ${personId}`,
      ),
  ];
}
