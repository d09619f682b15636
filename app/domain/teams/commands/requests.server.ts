import { and, eq } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { TeamMessage } from "#app/domain/teams/schema/outbox.ts";
import { AlreadyRequested, RequestDecided, RequestNotPossible } from "#app/domain/teams/errors.ts";
import { openRequest, suggestionsFor } from "#app/domain/teams/queries.server.ts";
import type { TeamRole } from "#app/domain/teams/rules/roles.ts";
import { membershipRequests } from "#drizzle/schema/teams.ts";
import { commitTeam, joinStatement, requireTeamSeat } from "./seat.server.ts";
import type { TeamActor } from "./seat.server.ts";

export type JoinRequest = {
  teamId: string;
  personId: string;
  personName: string;
  verifiedEmails: readonly string[];
};

/**
 * Answers a team suggested by its domain. Joins at once, as a guest, where the team enrols its
 * whole domain. Sends a join request where the team wants one. Refuses a person without a verified
 * e-mail of the domain, who was rejected before, or requested already.
 */
export async function joinOrRequest(
  ctx: Context,
  { teamId, personId, personName, verifiedEmails }: JoinRequest,
): Promise<{ outcome: "joined" | "asked"; teamName: string; slug: string }> {
  const suggested = (await suggestionsFor(ctx, { personId, verifiedEmails })).find(
    (team) => team.teamId === teamId,
  );
  if (!suggested) throw new RequestNotPossible();
  const { ownerId, teamName, slug } = suggested;
  const requestFields = { ownerId, slug, teamName, memberName: personName };
  if (suggested.enrolment === "automatic_invitation") {
    const outboxId = `team:${teamId}:joined:${ctx.newId()}`;
    const writes = [
      joinStatement(ctx, { teamId, personId, role: "guest_member" }),
      announce<TeamMessage>(ctx, outboxId, { type: "team.joined", ...requestFields }),
    ];
    await commitTeam(ctx, writes, [outboxId]);
    ctx.log("teams.member_joined", { teamId, personId, by: "domain" });
    return { outcome: "joined", teamName, slug };
  }
  const requestId = ctx.newId();
  const outboxId = `team:${teamId}:requested:${requestId}`;
  const writes = [
    ctx.db.insert(membershipRequests).values({
      id: requestId,
      organizationId: teamId,
      personId,
      status: "pending",
      createdAt: ctx.now(),
    }),
    announce<TeamMessage>(ctx, outboxId, { type: "team.requested", ...requestFields }),
  ];
  try {
    await commitTeam(ctx, writes, [outboxId]);
  } catch (error) {
    throw error instanceof UniqueViolation ? new AlreadyRequested() : error;
  }
  return { outcome: "asked", teamName, slug };
}

type JoinDecision = TeamActor & { requestId: string };

/**
 * Approves a join request with `role`. Refuses an actor who cannot manage members, an answered
 * request, and a full team. Then the request stays open.
 */
export async function approveRequest(
  ctx: Context,
  { requestId, role, ...by }: JoinDecision & { role: TeamRole },
): Promise<void> {
  await decide(ctx, { requestId, status: "approved", ...by }, (personId) => [
    joinStatement(ctx, { teamId: by.teamId, personId, role }),
  ]);
}

/**
 * Rejects a join request. The team is not suggested to that person again. Refuses what
 * `approveRequest` refuses.
 */
export async function rejectRequest(
  ctx: Context,
  { requestId, ...by }: JoinDecision,
): Promise<void> {
  await decide(ctx, { requestId, status: "rejected", ...by }, () => []);
}

async function decide(
  ctx: Context,
  { requestId, status, ...by }: JoinDecision & { status: "approved" | "rejected" },
  extraWrites: (personId: string) => ReturnType<typeof joinStatement>[],
): Promise<void> {
  const seat = await requireTeamSeat(ctx, by, "members:manage");
  const request = await openRequest(ctx, { teamId: by.teamId, requestId });
  if (!request) throw new RequestDecided();
  const { personId } = request;
  const waiting = and(
    eq(membershipRequests.id, requestId),
    eq(membershipRequests.organizationId, by.teamId),
    eq(membershipRequests.status, "pending"),
  );
  const outboxId = `team:${by.teamId}:decided:${requestId}`;
  const writes = [
    mustChangeOne(
      ctx.db
        .update(membershipRequests)
        .set({ status, decidedAt: ctx.now(), decidedBy: by.personId })
        .where(waiting),
    ),
    ...extraWrites(personId),
    announce<TeamMessage>(ctx, outboxId, {
      type: "team.request_decided",
      personId,
      isApproved: status === "approved",
      teamName: seat.teamName,
      slug: seat.slug,
    }),
  ];
  try {
    await commitTeam(ctx, writes, [outboxId]);
  } catch (error) {
    throw error instanceof StaleWrite ? new RequestDecided() : error;
  }
  ctx.log("teams.request_decided", { teamId: by.teamId, personId: by.personId, status });
}
