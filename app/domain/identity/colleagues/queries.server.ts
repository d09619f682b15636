import { and, eq, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { organizationMembers, organizations } from "#drizzle/schema/teams.ts";

/** A team has fifty members and its owner. */
const MEMBERS_AT_MOST = 100;

/** Builds the statement that reads the members of a person's team who see its money. */
export function teamMembersWithMoneyAccess(
  ctx: Context,
  { creatorId }: { creatorId: string | SQL<string> },
) {
  return ctx.db
    .select({ personId: organizationMembers.personId })
    .from(organizations)
    .innerJoin(
      organizationMembers,
      and(
        eq(organizationMembers.organizationId, organizations.id),
        eq(organizationMembers.mayManageBilling, true),
        isNull(organizationMembers.removedAt),
      ),
    )
    .where(and(eq(organizations.ownerId, creatorId), isNull(organizations.deletedAt)))
    .limit(MEMBERS_AT_MOST);
}

/** `isPartyToMoney` as a condition. The owner of the money is a column. */
export const isPartyToMoneySql = ({
  creatorId,
  moderatorId,
}: {
  creatorId: SQL;
  moderatorId: string;
}): SQL => sql`(${creatorId} = ${moderatorId} OR EXISTS (
  SELECT 1 FROM organizations team JOIN organization_members seat ON seat.organization_id = team.id AND seat.person_id = ${moderatorId} AND seat.may_manage_billing = 1 AND seat.removed_at IS NULL
  WHERE team.owner_id = ${creatorId} AND team.deleted_at IS NULL))`;

/**
 * Whether a moderator is a party to a person's money. It is theirs, or they see it as a team
 * member. A party decides nothing about it. Source:
 * docs/decisions/money/require-a-second-person-for-risky-money-decisions.md.
 */
export async function isPartyToMoney(
  ctx: Context,
  { creatorId, moderatorId }: { creatorId: string; moderatorId: string },
): Promise<boolean> {
  const [row] = await ctx.db
    .select({
      isSide: sql<number>`${isPartyToMoneySql({ creatorId: sql`${creatorId}`, moderatorId })}`.as(
        "is_side",
      ),
    })
    .from(sql`(SELECT 1)`);
  return row?.isSide === 1;
}
