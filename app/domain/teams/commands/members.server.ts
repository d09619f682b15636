import { and, eq, isNull } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { TeamMessage } from "#app/domain/teams/schema/outbox.ts";
import {
  BillingOwnerOnly,
  BillingNeedsAdmin,
  TeamManagedByProvider,
  TeamNameMismatch,
  TeamMemberNotFound,
  TeamNotFound,
  OwnerCannotLeave,
  OwnerCannotBeChanged,
} from "#app/domain/teams/errors.ts";
import { memberOfTeam, memberSeat } from "#app/domain/teams/queries.server.ts";
import { isNameTyped, memberChangeProblem, teamPositionOf } from "#app/domain/teams/rules.ts";
import type { MemberProblem } from "#app/domain/teams/rules.ts";
import type { TeamRole } from "#app/domain/teams/rules/roles.ts";
import { organizationMembers } from "#drizzle/schema/teams.ts";
import { commitTeam, requireTeamSeat } from "./seat.server.ts";
import type { TeamActor } from "./seat.server.ts";

type TeamMemberRef = TeamActor & { memberId: string };

const REFUSALS: Record<MemberProblem, () => Error> = {
  owner_stays: () => new OwnerCannotBeChanged(),
  billing_is_the_owners: () => new BillingOwnerOnly(),
  billing_without_admin: () => new BillingNeedsAdmin(),
};

/**
 * Changes a member's role, or their access to money, from their next request on. Refuses an actor
 * who cannot manage members, and the owner's own seat. Refuses access to money given by anybody but
 * the owner. The owner gets an email when a member gets access to money.
 */
export async function changeMember(
  ctx: Context,
  {
    memberId,
    role,
    mayManageBilling,
    ...by
  }: TeamMemberRef & { role: TeamRole; mayManageBilling: boolean },
): Promise<void> {
  const seat = await requireTeamSeat(ctx, by, "members:manage");
  const member = await memberOfTeam(ctx, { teamId: by.teamId, personId: memberId });
  if (!member) throw new TeamMemberNotFound();
  const problem = memberChangeProblem(member, { role, mayManageBilling }, teamPositionOf(seat));
  if (problem !== null) throw REFUSALS[problem]();
  const opens = mayManageBilling && !member.mayManageBilling;
  const outboxId = `team:${by.teamId}:billing:${ctx.newId()}`;
  // An unchanged flag is not written: the owner may be revoking it at this moment.
  const billing =
    role !== "admin" || mayManageBilling !== member.mayManageBilling ? { mayManageBilling } : {};
  const writes = [
    mustChangeOne(
      ctx.db
        .update(organizationMembers)
        .set({ role, ...billing })
        .where(isIn(by.teamId, memberId)),
    ),
    ...(opens
      ? [
          announce<TeamMessage>(ctx, outboxId, {
            type: "team.billing_granted",
            ownerId: seat.owner.personId,
            memberId,
            memberName: member.name,
            ...named(seat),
          }),
        ]
      : []),
  ];
  await found(async () => commitTeam(ctx, writes, opens ? [outboxId] : []));
  ctx.log("teams.member_changed", {
    teamId: by.teamId,
    personId: by.personId,
    memberId,
    role,
    mayManageBilling,
  });
}

/**
 * Removes a member from the team, from their next request on. Refuses an actor who cannot manage
 * members, and the owner.
 */
export async function removeMember(
  ctx: Context,
  { memberId, ...by }: TeamMemberRef,
): Promise<void> {
  const seat = await requireTeamSeat(ctx, by, "members:manage");
  if (memberId === seat.owner.personId) throw new OwnerCannotBeChanged();
  const outboxId = `team:${by.teamId}:removed:${ctx.newId()}`;
  const writes = [
    removal(ctx, by.teamId, memberId),
    announce<TeamMessage>(ctx, outboxId, { type: "team.removed", memberId, ...named(seat) }),
  ];
  await found(async () => commitTeam(ctx, writes, [outboxId]));
  ctx.log("teams.member_removed", { teamId: by.teamId, personId: by.personId, memberId });
}

/**
 * Leaves a team by typing its name. The owner deletes it instead: without them nobody might
 * administer it.
 */
export async function leaveTeam(
  ctx: Context,
  { typedName, ...by }: TeamActor & { typedName: string },
): Promise<void> {
  const seat = await memberSeat(ctx, by);
  if (!seat) throw new TeamNotFound();
  if (seat.provider !== null) throw new TeamManagedByProvider();
  if (seat.isOwner) throw new OwnerCannotLeave();
  if (!isNameTyped(typedName, seat.teamName)) throw new TeamNameMismatch();
  await found(async () => commitTeam(ctx, [removal(ctx, by.teamId, by.personId)]));
  ctx.log("teams.member_left", { teamId: by.teamId, personId: by.personId });
}

function removal(ctx: Context, teamId: string, personId: string) {
  return mustChangeOne(
    ctx.db
      .update(organizationMembers)
      .set({ removedAt: ctx.now(), mayManageBilling: false })
      .where(isIn(teamId, personId)),
  );
}

function isIn(teamId: string, personId: string) {
  return and(
    eq(organizationMembers.organizationId, teamId),
    eq(organizationMembers.personId, personId),
    isNull(organizationMembers.removedAt),
  );
}

function named({ teamName, slug }: { teamName: string; slug: string }) {
  return { teamName, slug };
}

async function found(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw error instanceof StaleWrite ? new TeamMemberNotFound() : error;
  }
}
