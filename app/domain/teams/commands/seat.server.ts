import { isNotNull } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  TeamManagedByProvider,
  TeamNotFound,
  TeamPermissionDenied,
  OwnerCannotBeChanged,
  TeamFull,
  TooManyInvitations,
  TooManyJoinRequests,
  TooManyTeams,
} from "#app/domain/teams/errors.ts";
import { memberSeat } from "#app/domain/teams/queries.server.ts";
import { isPermitted, teamPositionOf } from "#app/domain/teams/rules.ts";
import type { Permission } from "#app/domain/teams/rules.ts";
import type { Seat } from "#app/domain/teams/schema.ts";
import type { TeamRole } from "#app/domain/teams/rules/roles.ts";
import { organizationMembers } from "#drizzle/schema/teams.ts";

export type TeamActor = { teamId: string; personId: string };

/**
 * Reads the actor's current seat. Refuses a non-member, a position without the permission, and a
 * team that a provider manages.
 */
export async function requireTeamSeat(
  ctx: Context,
  by: TeamActor,
  permission: Permission,
): Promise<Seat> {
  const seat = await memberSeat(ctx, by);
  if (!seat) throw new TeamNotFound();
  if (!isPermitted(teamPositionOf(seat), permission)) throw new TeamPermissionDenied();
  if (seat.provider !== null) throw new TeamManagedByProvider();
  return seat;
}

/**
 * Adds a person to a team, or adds them again. A member keeps their seat. The database enforces the
 * quotas: `team_full`, `team_too_many`.
 */
export function joinStatement(
  ctx: Context,
  { teamId, personId, role }: TeamActor & { role: TeamRole },
) {
  const place = { role, mayManageBilling: false, joinedAt: ctx.now(), removedAt: null };
  return ctx.db
    .insert(organizationMembers)
    .values({ organizationId: teamId, personId, ...place })
    .onConflictDoUpdate({
      target: [organizationMembers.organizationId, organizationMembers.personId],
      set: place,
      setWhere: isNotNull(organizationMembers.removedAt),
    });
}

/**
 * Commits the writes, and turns refusals of a team's triggers into messages for the person. Then
 * delivers the announcements of the batch, `tell`.
 */
export async function commitTeam(
  ctx: Context,
  writes: readonly BatchWrite[],
  outboxIds: readonly string[] = [],
): Promise<void> {
  try {
    await commit(ctx.db, writes);
  } catch (error) {
    throw error instanceof RuleViolation ? (REFUSED[error.rule]?.() ?? error) : error;
  }
  for (const id of outboxIds)
    await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id });
}

const REFUSED: Record<string, () => Error> = {
  team_full: () => new TeamFull(),
  team_too_many: () => new TooManyTeams(),
  team_gone: () => new TeamNotFound(),
  team_owner_stays: () => new OwnerCannotBeChanged(),
  team_invitations: () => new TooManyInvitations(),
  team_requests: () => new TooManyJoinRequests(),
};
