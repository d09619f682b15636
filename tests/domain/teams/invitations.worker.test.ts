import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  acceptInvitation,
  inviteToTeam,
  revokeInvitation,
} from "#app/domain/teams/commands/invitations.server.ts";
import { removeMember } from "#app/domain/teams/commands/members.server.ts";
import {
  approveRequest,
  joinOrRequest,
  rejectRequest,
} from "#app/domain/teams/commands/requests.server.ts";
import { changeDomain, deleteTeam } from "#app/domain/teams/commands/team.server.ts";
import {
  AlreadyInTeam,
  AlreadyInvited,
  AlreadyRequested,
  InvitationExpired,
  InvitationForAnotherEmail,
  InvitationRevoked,
  InvitationUsed,
  InvitationNotFound,
  TeamPermissionDenied,
  RequestDecided,
  RequestNotPossible,
  TeamFull,
  TooManyInvitations,
  TooManyTeams,
} from "#app/domain/teams/errors.ts";
import {
  invitationsFor,
  membersStatement,
  requestsStatement,
  memberSeat,
  suggestionsFor,
} from "#app/domain/teams/queries.server.ts";
import {
  INVITATION_LIFE_MS,
  INVITATIONS_A_DAY,
  MEMBERS_MAX,
  TEAMS_PER_PERSON_MAX,
} from "#app/domain/teams/rules.ts";
import type { EnrolmentMode } from "#app/domain/teams/schema.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import {
  organizationInvitations,
  organizationMembers,
  organizations,
} from "#drizzle/schema/teams.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { invitationTo, invite, createTeamFor, createTeammate } from "#tests/support/teams.ts";
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

describe("invitations", () => {
  test("each address gets an email, and people with an account are also notified in the product", async () => {
    const made = await createTeamFor(ctx);
    const bruno = await createPerson(ctx, "Bruno");
    const fresh = `nova-${made.owner.username}@exemplo.test`;
    await inviteToTeam(ctx, {
      teamId: made.teamId,
      personId: made.owner.id,
      inviterName: "Ana",
      emails: [bruno.email, fresh],
      role: "basic_member",
    });
    await world.drain();
    const invitationId = await invitationTo(ctx, { teamId: made.teamId, email: fresh });
    const [email] = await ctx.db.select().from(localMails).where(eq(localMails.recipient, fresh));
    expect(email).toMatchObject({ subject: `Ana convidou você para a equipe ${made.name}` });
    expect(email?.body).toContain(`/settings/teams/invitations/${invitationId}`);
    expect(await ctx.db.$count(localMails, eq(localMails.recipient, bruno.email))).toBe(1);
    expect(await ctx.db.$count(notifications, eq(notifications.personId, bruno.id))).toBe(1);
  });

  test("are sent all or none, and the error names members and those already invited", async () => {
    const made = await createTeamFor(ctx);
    const inside = await createTeammate(ctx, made);
    await invite(ctx, made, "antes@exemplo.test");
    const ask = (emails: string[]) =>
      inviteToTeam(ctx, {
        teamId: made.teamId,
        personId: made.owner.id,
        inviterName: "Ana",
        emails,
        role: "admin",
      });
    await expect(ask([inside.email, "novo@exemplo.test"])).rejects.toThrow(
      new AlreadyInTeam([inside.email]),
    );
    await expect(ask(["novo@exemplo.test", "antes@exemplo.test"])).rejects.toThrow(
      new AlreadyInvited(["antes@exemplo.test"]),
    );
    await expect(
      invitationTo(ctx, { teamId: made.teamId, email: "novo@exemplo.test" }),
    ).rejects.toThrow("nobody invited");
    await expect(
      inviteToTeam(ctx, {
        teamId: made.teamId,
        personId: inside.id,
        inviterName: "B",
        emails: ["x@exemplo.test"],
        role: "admin",
      }),
    ).rejects.toThrow(TeamPermissionDenied);
  });

  test("each address has one open invitation, also for two requests at once", async () => {
    const made = await createTeamFor(ctx);
    const both = await Promise.allSettled([1, 2].map(() => invite(ctx, made, "dois@exemplo.test")));
    expect(both.filter((one) => one.status === "fulfilled")).toHaveLength(1);
    for (const one of both)
      if (one.status === "rejected") expect(one.reason).toBeInstanceOf(AlreadyInvited);
  });

  test("are limited to fifty a day", async () => {
    const made = await createTeamFor(ctx);
    const emails = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => `p${from + index}@${made.owner.username}.test`);
    const send = (some: string[]) =>
      inviteToTeam(ctx, {
        teamId: made.teamId,
        personId: made.owner.id,
        inviterName: "Ana",
        emails: some,
        role: "guest_member",
      });
    await send(emails(0, 20));
    await send(emails(20, 20));
    await expect(send(emails(40, 11))).rejects.toThrow(TooManyInvitations);
    await send(emails(40, 10));
    await expect(send(emails(90, 1))).rejects.toThrow(TooManyInvitations);
    expect(
      await ctx.db.$count(
        organizationInvitations,
        eq(organizationInvitations.organizationId, made.teamId),
      ),
    ).toBe(INVITATIONS_A_DAY);
    await ctx.db
      .delete(organizationInvitations)
      .where(eq(organizationInvitations.organizationId, made.teamId));
  });

  test("a new team that replaces a deleted one has no fifty more", async () => {
    const made = await createTeamFor(ctx);
    const emails = (from: number) =>
      Array.from({ length: 20 }, (_, index) => `p${from + index}@${made.owner.username}.test`);
    const send = (teamId: string, some: string[]) =>
      inviteToTeam(ctx, {
        teamId,
        personId: made.owner.id,
        inviterName: "Ana",
        emails: some,
        role: "guest_member",
      });
    await send(made.teamId, emails(0));
    await send(made.teamId, emails(20));
    await deleteTeam(ctx, { teamId: made.teamId, personId: made.owner.id, typedName: made.name });
    const next = await createTeamFor(ctx, made.owner);
    await expect(send(next.teamId, emails(0))).rejects.toThrow(TooManyInvitations);
    await send(next.teamId, emails(0).slice(0, 10));
  });

  test("can be accepted only by the invited verified e-mail, once, and safely twice by the same person", async () => {
    const made = await createTeamFor(ctx);
    const [bruno, thief] = [await createPerson(ctx, "Bruno"), await createPerson(ctx, "Outra")];
    const invitationId = await invite(ctx, made, bruno.email);
    await expect(accept(invitationId, thief)).rejects.toThrow(InvitationForAnotherEmail);
    await expect(accept(invitationId, bruno, [])).rejects.toThrow(InvitationForAnotherEmail);
    const clicks = await Promise.all([
      accept(invitationId, bruno),
      accept(invitationId, bruno),
      accept(invitationId, bruno),
    ]);
    expect(new Set(clicks.map((click) => click.slug))).toEqual(new Set([made.slug]));
    await expect(accept(invitationId, bruno)).resolves.toMatchObject({ slug: made.slug });
    expect((await membersStatement(ctx, made)).map((member) => member.personId)).toEqual([
      made.owner.id,
      bruno.id,
    ]);
    await expect(accept(invitationId, thief, [bruno.email])).rejects.toThrow(InvitationUsed);
  });

  test("an old invitation does not bring a removed member back", async () => {
    const made = await createTeamFor(ctx);
    const bruno = await createPerson(ctx, "Bruno");
    const invitationId = await invite(ctx, made, bruno.email);
    await accept(invitationId, bruno);
    await removeMember(ctx, { teamId: made.teamId, personId: made.owner.id, memberId: bruno.id });
    await accept(invitationId, bruno);
    expect(await memberSeat(ctx, { teamId: made.teamId, personId: bruno.id })).toBeNull();
  });

  test("revoked, expired or of a deleted team: each says so", async () => {
    const made = await createTeamFor(ctx);
    const bruno = await createPerson(ctx, "Bruno");
    const revoked = await invite(ctx, made, bruno.email);
    expect(await invitationsFor(ctx, { verifiedEmails: [bruno.email] })).toHaveLength(1);
    await revokeInvitation(ctx, {
      teamId: made.teamId,
      personId: made.owner.id,
      invitationId: revoked,
    });
    await expect(accept(revoked, bruno)).rejects.toThrow(InvitationRevoked);
    await expect(
      revokeInvitation(ctx, {
        teamId: made.teamId,
        personId: made.owner.id,
        invitationId: revoked,
      }),
    ).rejects.toThrow(InvitationNotFound);
    const expired = await invite(ctx, made, bruno.email);
    const later = await testContext();
    await later.advance(INVITATION_LIFE_MS);
    const late = (invitationId: string) =>
      acceptInvitation(later.ctx, {
        invitationId,
        personId: bruno.id,
        personName: "Bruno",
        verifiedEmails: [bruno.email],
      });
    await expect(late(expired)).rejects.toThrow(InvitationExpired);
    expect(await invitationsFor(later.ctx, { verifiedEmails: [bruno.email] })).toEqual([]);
    // An ended invitation leaves room for another to the same address.
    const again = await invite(later.ctx, made, bruno.email);
    await deleteTeam(ctx, { teamId: made.teamId, personId: made.owner.id, typedName: made.name });
    await expect(late(again)).rejects.toThrow(InvitationNotFound);
  });

  test("revoking and accepting at once: only one of them happens", async () => {
    const made = await createTeamFor(ctx);
    const bruno = await createPerson(ctx, "Bruno");
    const invitationId = await invite(ctx, made, bruno.email);
    const [accepted, revoked] = await Promise.allSettled([
      accept(invitationId, bruno),
      revokeInvitation(ctx, { teamId: made.teamId, personId: made.owner.id, invitationId }),
    ]);
    const isIn = (await memberSeat(ctx, { teamId: made.teamId, personId: bruno.id })) !== null;
    expect([accepted.status === "fulfilled", revoked.status === "rejected"]).toEqual([isIn, isIn]);
  });
});

describe("quotas", () => {
  test("two people at once for the last place: one joins, the other's invitation stays open", async () => {
    const made = await createTeamFor(ctx);
    const [bruno, caio] = [await createPerson(ctx, "Bruno"), await createPerson(ctx, "Caio")];
    const invitations = [await invite(ctx, made, bruno.email), await invite(ctx, made, caio.email)];
    await fill(made.teamId, MEMBERS_MAX - 2);
    const both = await Promise.allSettled([
      accept(invitations[0] ?? "", bruno),
      accept(invitations[1] ?? "", caio),
    ]);
    expect(both.filter((one) => one.status === "fulfilled")).toHaveLength(1);
    for (const one of both)
      if (one.status === "rejected") expect(one.reason).toEqual(new TeamFull());
    expect(new TeamFull().message).toBe("A organização já tem o máximo de pessoas. O limite é 50.");
    expect(
      await ctx.db.$count(organizationMembers, eq(organizationMembers.organizationId, made.teamId)),
    ).toBe(MEMBERS_MAX);
    const waiting = await ctx.db
      .select({ status: organizationInvitations.status })
      .from(organizationInvitations)
      .where(eq(organizationInvitations.organizationId, made.teamId));
    expect(waiting.map((row) => row.status).toSorted()).toEqual(["accepted", "pending"]);
  });

  test("a person can be in twenty teams, not one more", async () => {
    const bruno = await createPerson(ctx, "Bruno");
    const ids = Array.from({ length: TEAMS_PER_PERSON_MAX }, () => ctx.newId());
    const now = ctx.now();
    await commit(
      ctx.db,
      ids.flatMap((id) => [
        ctx.db
          .insert(organizations)
          .values({ id, ownerId: ctx.newId(), name: id, slug: id, createdAt: now, updatedAt: now }),
        ctx.db
          .insert(organizationMembers)
          .values({ organizationId: id, personId: bruno.id, role: "guest_member", joinedAt: now }),
      ]),
    );
    const invitationId = await invite(ctx, await createTeamFor(ctx), bruno.email);
    await expect(accept(invitationId, bruno)).rejects.toThrow(TooManyTeams);
    await ctx.db
      .update(organizationMembers)
      .set({ removedAt: now })
      .where(eq(organizationMembers.organizationId, ids[0] ?? ""));
    await expect(accept(invitationId, bruno)).resolves.toBeDefined();
    const back = ctx.db
      .update(organizationMembers)
      .set({ removedAt: null })
      .where(eq(organizationMembers.organizationId, ids[0] ?? ""));
    await expect(commit(ctx.db, [back])).rejects.toThrow("team_too_many");
  });
});

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
