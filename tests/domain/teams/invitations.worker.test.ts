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
import { deleteTeam } from "#app/domain/teams/commands/team.server.ts";
import {
  AlreadyInTeam,
  AlreadyInvited,
  InvitationExpired,
  InvitationForAnotherEmail,
  InvitationRevoked,
  InvitationUsed,
  InvitationNotFound,
  TeamPermissionDenied,
  TeamFull,
  TooManyInvitations,
  TooManyTeams,
} from "#app/domain/teams/errors.ts";
import { invitationsFor, membersStatement, memberSeat } from "#app/domain/teams/queries.server.ts";
import {
  INVITATION_LIFE_MS,
  INVITATIONS_A_DAY,
  MEMBERS_MAX,
  TEAMS_PER_PERSON_MAX,
} from "#app/domain/teams/rules.ts";
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
