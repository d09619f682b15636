import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { acceptInvitation } from "#app/domain/teams/commands/invitations.server.ts";
import { removeMember } from "#app/domain/teams/commands/members.server.ts";
import {
  approveRequest,
  joinOrRequest,
  rejectRequest,
} from "#app/domain/teams/commands/requests.server.ts";
import { changeDomain } from "#app/domain/teams/commands/team.server.ts";
import {
  AlreadyRequested,
  TeamPermissionDenied,
  RequestDecided,
  RequestNotPossible,
  TeamFull,
} from "#app/domain/teams/errors.ts";
import { requestsStatement, memberSeat, suggestionsFor } from "#app/domain/teams/queries.server.ts";
import { MEMBERS_MAX } from "#app/domain/teams/rules.ts";
import type { EnrolmentMode } from "#app/domain/teams/rules/roles.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { organizationMembers } from "#drizzle/schema/teams.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { invite, createTeamFor, createTeammate } from "#tests/support/teams.ts";
import type { TestTeam } from "#tests/support/teams.ts";

let world: World;
let ctx: Context;
beforeAll(async () => {
  world = await testContext();
  ctx = world.ctx;
});

const accept = (invitationId: string, who: TestPerson, verifiedEmails = [who.email]) =>
  acceptInvitation(ctx, { invitationId, personId: who.id, personName: who.name, verifiedEmails });

/** Inserts rows in one statement, so that a team is full without fifty invitations. */
async function fill(teamId: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => ({
    organizationId: teamId,
    personId: ctx.newId(),
    role: "guest_member" as const,
    joinedAt: ctx.now(),
  }));
  await commit(
    ctx.db,
    rows.map((row) => ctx.db.insert(organizationMembers).values(row)),
  );
}

describe("joining by domain", () => {
  async function enrolling(enrolment: EnrolmentMode): Promise<TestTeam & { domain: string }> {
    const made = await createTeamFor(ctx);
    const domain = `${made.owner.username}.com.br`;
    await changeDomain(ctx, {
      teamId: made.teamId,
      personId: made.owner.id,
      domain,
      enrolment,
      verifiedEmails: [`ana@${domain}`],
    });
    return { ...made, domain };
  }
  const ask = (made: TestTeam, who: TestPerson, verifiedEmails: string[]) =>
    joinOrRequest(ctx, {
      teamId: made.teamId,
      personId: who.id,
      personName: who.name,
      verifiedEmails,
    });

  test("is suggested to people with a verified e-mail of the domain, who request once and are accepted with a role", async () => {
    const made = await enrolling("automatic_suggestion");
    const bruno = await createPerson(ctx, "Bruno");
    const verifiedEmails = [`bruno@${made.domain}`];
    expect(
      await suggestionsFor(ctx, { personId: bruno.id, verifiedEmails: [bruno.email] }),
    ).toEqual([]);
    expect(await suggestionsFor(ctx, { personId: bruno.id, verifiedEmails })).toMatchObject([
      { teamId: made.teamId, isPending: false },
    ]);
    await expect(ask(made, bruno, [bruno.email])).rejects.toThrow(RequestNotPossible);
    const twice = await Promise.allSettled([
      ask(made, bruno, verifiedEmails),
      ask(made, bruno, verifiedEmails),
    ]);
    expect(twice.map((one) => one.status).toSorted()).toEqual(["fulfilled", "rejected"]);
    for (const one of twice)
      if (one.status === "rejected") expect(one.reason).toBeInstanceOf(AlreadyRequested);
    expect(await suggestionsFor(ctx, { personId: bruno.id, verifiedEmails })).toMatchObject([
      { isPending: true },
    ]);
    const [request] = await requestsStatement(ctx, made);
    const decide = {
      teamId: made.teamId,
      personId: made.owner.id,
      requestId: request?.requestId ?? "",
    };
    const basic = await createTeammate(ctx, made);
    await expect(
      approveRequest(ctx, { ...decide, personId: basic.id, role: "admin" }),
    ).rejects.toThrow(TeamPermissionDenied);
    const decided = await Promise.allSettled([
      approveRequest(ctx, { ...decide, role: "basic_member" }),
      rejectRequest(ctx, decide),
    ]);
    expect(decided.map((one) => one.status).toSorted()).toEqual(["fulfilled", "rejected"]);
    for (const one of decided)
      if (one.status === "rejected") expect(one.reason).toBeInstanceOf(RequestDecided);
    const seat = await memberSeat(ctx, { teamId: made.teamId, personId: bruno.id });
    expect(decided[0]?.status === "fulfilled" ? seat?.role : seat).toBe(
      decided[0]?.status === "fulfilled" ? "basic_member" : null,
    );
  });

  test("a rejected person does not see the suggestion again", async () => {
    const made = await enrolling("automatic_suggestion");
    const bruno = await createPerson(ctx, "Bruno");
    const verifiedEmails = [`bruno@${made.domain}`];
    await ask(made, bruno, verifiedEmails);
    const [request] = await requestsStatement(ctx, made);
    await rejectRequest(ctx, {
      teamId: made.teamId,
      personId: made.owner.id,
      requestId: request?.requestId ?? "",
    });
    expect(await suggestionsFor(ctx, { personId: bruno.id, verifiedEmails })).toEqual([]);
    await expect(ask(made, bruno, verifiedEmails)).rejects.toThrow(RequestNotPossible);
    await world.tick();
    const notified = await ctx.db
      .select({ body: notifications.body })
      .from(notifications)
      .where(eq(notifications.personId, bruno.id));
    expect(notified).toEqual([
      { body: `O seu pedido para entrar na equipe ${made.name} não foi aceito.` },
    ]);
  });

  test("a person invited with the whole domain joins at once, as a guest only", async () => {
    const made = await enrolling("automatic_invitation");
    const bruno = await createPerson(ctx, "Bruno");
    expect(await ask(made, bruno, [`bruno@${made.domain}`])).toMatchObject({ outcome: "joined" });
    expect(await memberSeat(ctx, { teamId: made.teamId, personId: bruno.id })).toMatchObject({
      role: "guest_member",
      mayManageBilling: false,
    });
    expect(
      await suggestionsFor(ctx, { personId: bruno.id, verifiedEmails: [`bruno@${made.domain}`] }),
    ).toEqual([]);
  });

  test("a removed member rejoins only by an invitation, not by the domain", async () => {
    const made = await enrolling("automatic_invitation");
    const bruno = await createPerson(ctx, "Bruno");
    const verifiedEmails = [`bruno@${made.domain}`];
    await ask(made, bruno, verifiedEmails);
    await removeMember(ctx, { teamId: made.teamId, personId: made.owner.id, memberId: bruno.id });
    expect(await suggestionsFor(ctx, { personId: bruno.id, verifiedEmails })).toEqual([]);
    await expect(ask(made, bruno, verifiedEmails)).rejects.toThrow(RequestNotPossible);
    await accept(await invite(ctx, made, bruno.email), bruno);
    expect(await memberSeat(ctx, { teamId: made.teamId, personId: bruno.id })).toMatchObject({
      role: "basic_member",
    });
  });

  test("a team by invitation only is suggested to nobody", async () => {
    const made = await enrolling("manual_invitation");
    const bruno = await createPerson(ctx, "Bruno");
    expect(
      await suggestionsFor(ctx, { personId: bruno.id, verifiedEmails: [`bruno@${made.domain}`] }),
    ).toEqual([]);
    await expect(ask(made, bruno, [`bruno@${made.domain}`])).rejects.toThrow(RequestNotPossible);
  });

  test("a full team leaves the request pending", async () => {
    const made = await enrolling("automatic_suggestion");
    const bruno = await createPerson(ctx, "Bruno");
    await ask(made, bruno, [`bruno@${made.domain}`]);
    await fill(made.teamId, MEMBERS_MAX - 1);
    const [request] = await requestsStatement(ctx, made);
    await expect(
      approveRequest(ctx, {
        teamId: made.teamId,
        personId: made.owner.id,
        requestId: request?.requestId ?? "",
        role: "admin",
      }),
    ).rejects.toThrow(TeamFull);
    expect(await requestsStatement(ctx, made)).toHaveLength(1);
  });
});
