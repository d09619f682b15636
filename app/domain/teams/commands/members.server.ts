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
import type { TeamRole } from "#app/domain/teams/schema.ts";
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
 * Another role for a member, or the money opened or closed to them; it counts from their next
 * request on. Refuses who may not manage members, the owner's own place, and money opened by
 * anybody but the owner. Letting somebody at the money is told to the owner by mail.
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
  // A flag that is left as it was read is not written: the owner may be taking it back in this
  // moment.
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
 * Takes somebody out of the team, from their next request on. Refuses who may not manage members,
 * and the owner.
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
 * Leaves a team by typing its name. The owner, without whom nobody may be left to administer,
 * deletes it instead.
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
