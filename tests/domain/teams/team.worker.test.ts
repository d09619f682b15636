import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { acceptInvitation } from "#app/domain/teams/commands/invitations.server.ts";
import {
  changeMember,
  leaveTeam,
  removeMember,
} from "#app/domain/teams/commands/members.server.ts";
import {
  changeDomain,
  createTeam,
  deleteTeam,
  updateTeam,
} from "#app/domain/teams/commands/team.server.ts";
import {
  BillingOwnerOnly,
  DomainMissing,
  DomainNotVerified,
  DomainTaken,
  TeamNameMismatch,
  TeamMemberNotFound,
  TeamNotFound,
  TeamPermissionDenied,
  TeamNeedsPage,
  OwnerCannotLeave,
  OwnerCannotBeChanged,
  PublicMailDomain,
  SlugTaken,
  TeamExists,
} from "#app/domain/teams/errors.ts";
import {
  memberOfTeam,
  membersStatement,
  memberSeat,
  memberSeats,
} from "#app/domain/teams/queries.server.ts";
import { people } from "#drizzle/schema/identity.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import {
  organizationInvitations,
  organizationMembers,
  organizations,
} from "#drizzle/schema/teams.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { invite, createTeamFor, createTeammate } from "#tests/support/teams.ts";

let world: World;
let ctx: Context;
beforeAll(async () => {
  world = await testContext();
  ctx = world.ctx;
});

describe("making a team", () => {
  test("requires a page, and its creator becomes owner and administrator", async () => {
    const nobody = await createPerson(ctx);
    await expect(
      createTeam(ctx, {
        ownerId: nobody.id,
        name: "Nada",
        slug: `nada-${nobody.username}`,
        logoMediaId: null,
      }),
    ).rejects.toThrow(TeamNeedsPage);
    const { teamId, owner } = await createTeamFor(ctx);
    expect(await memberSeat(ctx, { teamId, personId: owner.id })).toMatchObject({
      isOwner: true,
      role: "admin",
      mayManageBilling: true,
      owner: { personId: owner.id, isCreator: true },
    });
  });

  test("is possible once per page, also for two clicks at once", async () => {
    const ana = await createSeller(ctx);
    const clicks = await Promise.allSettled(
      [1, 2, 3].map((n) =>
        createTeam(ctx, {
          ownerId: ana.id,
          name: "Casa",
          slug: `casa-${n}-${ana.username}`,
          logoMediaId: null,
        }),
      ),
    );
    expect(clicks.filter((click) => click.status === "fulfilled")).toHaveLength(1);
    for (const click of clicks)
      if (click.status === "rejected") expect(click.reason).toBeInstanceOf(TeamExists);
  });

  test("takes a unique address, which a deleted team releases", async () => {
    const made = await createTeamFor(ctx);
    const other = await createSeller(ctx);
    const again = { ownerId: other.id, name: "Outra", slug: made.slug, logoMediaId: null };
    await expect(createTeam(ctx, again)).rejects.toThrow(SlugTaken);
    await deleteTeam(ctx, { teamId: made.teamId, personId: made.owner.id, typedName: made.name });
    await expect(createTeam(ctx, again)).resolves.toMatchObject({ slug: made.slug });
  });
});

describe("editing a team", () => {
  test("requires an administrator, and retains the logo when none is given", async () => {
    const made = await createTeamFor(ctx);
    const [admin, basic] = [
      await createTeammate(ctx, made, "admin"),
      await createTeammate(ctx, made),
    ];
    await updateTeam(ctx, {
      teamId: made.teamId,
      personId: admin.id,
      name: "Casa da Rabeca",
      slug: `rabeca-${admin.username}`,
      logoMediaId: "logo",
    });
    await updateTeam(ctx, {
      teamId: made.teamId,
      personId: admin.id,
      name: "Casa da Rabeca",
      slug: `rabeca-${admin.username}`,
      logoMediaId: null,
    });
    expect(
      await memberSeat(ctx, { slug: `rabeca-${admin.username}`, personId: basic.id }),
    ).toMatchObject({ teamName: "Casa da Rabeca", logoMediaId: "logo" });
    await expect(
      updateTeam(ctx, {
        teamId: made.teamId,
        personId: basic.id,
        name: "Meu",
        slug: made.slug,
        logoMediaId: null,
      }),
    ).rejects.toThrow(TeamPermissionDenied);
    const stranger = await createPerson(ctx);
    await expect(
      updateTeam(ctx, {
        teamId: made.teamId,
        personId: stranger.id,
        name: "Meu",
        slug: made.slug,
        logoMediaId: null,
      }),
    ).rejects.toThrow(TeamNotFound);
    const other = await createTeamFor(ctx);
    await expect(
      updateTeam(ctx, {
        teamId: other.teamId,
        personId: other.owner.id,
        name: "X",
        slug: `rabeca-${admin.username}`,
        logoMediaId: null,
      }),
    ).rejects.toThrow(SlugTaken);
  });

  test("proves a domain by a verified e-mail, for one team only, and never for a public mail provider", async () => {
    const made = await createTeamFor(ctx);
    const by = { teamId: made.teamId, personId: made.owner.id };
    const domain = `${made.owner.username}.com.br`;
    const verifiedEmails = [`ana@${domain}`];
    await expect(
      changeDomain(ctx, {
        ...by,
        domain,
        enrolment: "automatic_suggestion",
        verifiedEmails: [made.owner.email],
      }),
    ).rejects.toThrow(DomainNotVerified);
    await expect(
      changeDomain(ctx, {
        ...by,
        domain: "gmail.com",
        enrolment: "automatic_suggestion",
        verifiedEmails: ["ana@gmail.com"],
      }),
    ).rejects.toThrow(PublicMailDomain);
    await expect(
      changeDomain(ctx, { ...by, domain: null, enrolment: "automatic_invitation", verifiedEmails }),
    ).rejects.toThrow(DomainMissing);
    await changeDomain(ctx, { ...by, domain, enrolment: "automatic_suggestion", verifiedEmails });
    const admin = await createTeammate(ctx, made, "admin");
    await changeDomain(ctx, {
      teamId: made.teamId,
      personId: admin.id,
      domain,
      enrolment: "automatic_invitation",
      verifiedEmails: [],
    });
    expect(await memberSeat(ctx, by)).toMatchObject({ domain, enrolment: "automatic_invitation" });
    const other = await createTeamFor(ctx);
    await expect(
      changeDomain(ctx, {
        teamId: other.teamId,
        personId: other.owner.id,
        domain,
        enrolment: "manual_invitation",
        verifiedEmails,
      }),
    ).rejects.toThrow(DomainTaken);
    const undo = ctx.db
      .update(organizations)
      .set({ domain: null })
      .where(eq(organizations.id, made.teamId));
    await expect(commit(ctx.db, [undo])).rejects.toThrow("team_domain_missing");
    const basic = await createTeammate(ctx, made);
    await expect(
      changeDomain(ctx, {
        teamId: made.teamId,
        personId: basic.id,
        domain,
        enrolment: "manual_invitation",
        verifiedEmails,
      }),
    ).rejects.toThrow(TeamPermissionDenied);
  });
});

describe("team members", () => {
  test("an admin changes roles; only the owner grants billing access, and is notified by email", async () => {
    const made = await createTeamFor(ctx);
    const [admin, other] = [
      await createTeammate(ctx, made, "admin"),
      await createTeammate(ctx, made, "basic_member", { name: "Caio Reis" }),
    ];
    const change = (
      personId: string,
      memberId: string,
      role: "admin" | "guest_member",
      mayManageBilling = false,
    ) => changeMember(ctx, { teamId: made.teamId, personId, memberId, role, mayManageBilling });
    await change(admin.id, other.id, "admin");
    await expect(change(admin.id, other.id, "admin", true)).rejects.toThrow(BillingOwnerOnly);
    await expect(change(admin.id, admin.id, "admin", true)).rejects.toThrow(BillingOwnerOnly);
    await expect(change(admin.id, made.owner.id, "guest_member")).rejects.toThrow(
      OwnerCannotBeChanged,
    );
    await change(made.owner.id, other.id, "admin", true);
    expect(await memberSeat(ctx, { teamId: made.teamId, personId: other.id })).toMatchObject({
      role: "admin",
      mayManageBilling: true,
    });
    await world.drain();
    const mails = await ctx.db
      .select()
      .from(localMails)
      .where(eq(localMails.recipient, made.owner.email));
    expect(mails.map((mail) => mail.subject)).toEqual([
      "Caio Reis agora cuida do dinheiro da sua página",
    ]);
    await change(admin.id, other.id, "guest_member");
    expect(await memberSeat(ctx, { teamId: made.teamId, personId: other.id })).toMatchObject({
      role: "guest_member",
      mayManageBilling: false,
    });
    await expect(change(other.id, admin.id, "guest_member")).rejects.toThrow(TeamPermissionDenied);
    await expect(change(admin.id, (await createPerson(ctx)).id, "guest_member")).rejects.toThrow(
      TeamMemberNotFound,
    );
  });

  test("an admin who saves a role while the owner revokes billing access does not restore it", async () => {
    const made = await createTeamFor(ctx);
    const [admin, other] = [
      await createTeammate(ctx, made, "admin"),
      await createTeammate(ctx, made, "admin", { mayManageBilling: true }),
    ];
    const takeBack = () =>
      changeMember(ctx, {
        teamId: made.teamId,
        personId: made.owner.id,
        memberId: other.id,
        role: "admin",
        mayManageBilling: false,
      });
    // The owner writes between the read and the write of the admin's command.
    const slow = await testContext({
      database: (binding) =>
        new Proxy(binding, {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name);
            if (typeof value !== "function") return value;
            if (name !== "batch") return value.bind(target) as unknown;
            return async (statements: D1PreparedStatement[]) => {
              await takeBack();
              return target.batch(statements);
            };
          },
        }),
    });
    await changeMember(slow.ctx, {
      teamId: made.teamId,
      personId: admin.id,
      memberId: other.id,
      role: "admin",
      mayManageBilling: true,
    });
    expect(await memberSeat(ctx, { teamId: made.teamId, personId: other.id })).toMatchObject({
      role: "admin",
      mayManageBilling: false,
    });
  });

  test("an administrator removes a member at once, and nobody removes the owner", async () => {
    const made = await createTeamFor(ctx);
    const [admin, basic] = [
      await createTeammate(ctx, made, "admin"),
      await createTeammate(ctx, made),
    ];
    await expect(
      removeMember(ctx, { teamId: made.teamId, personId: basic.id, memberId: admin.id }),
    ).rejects.toThrow(TeamPermissionDenied);
    await expect(
      removeMember(ctx, { teamId: made.teamId, personId: admin.id, memberId: made.owner.id }),
    ).rejects.toThrow(OwnerCannotBeChanged);
    await removeMember(ctx, { teamId: made.teamId, personId: admin.id, memberId: basic.id });
    expect(await memberSeat(ctx, { teamId: made.teamId, personId: basic.id })).toBeNull();
    await expect(
      removeMember(ctx, { teamId: made.teamId, personId: admin.id, memberId: basic.id }),
    ).rejects.toThrow(TeamMemberNotFound);
  });

  test("leaving asks for the name; the owner cannot leave; of the last two admins leaving at once one stays", async () => {
    const made = await createTeamFor(ctx);
    const admin = await createTeammate(ctx, made, "admin");
    const leave = (personId: string, typedName = made.name) =>
      leaveTeam(ctx, { teamId: made.teamId, personId, typedName });
    await expect(leave(admin.id, "Outra")).rejects.toThrow(TeamNameMismatch);
    const [owner, left] = await Promise.allSettled([leave(made.owner.id), leave(admin.id)]);
    expect(owner).toMatchObject({ status: "rejected", reason: expect.any(OwnerCannotLeave) });
    expect(left).toMatchObject({ status: "fulfilled" });
    expect(
      (await membersStatement(ctx, made)).map((member) => [member.personId, member.role]),
    ).toEqual([[made.owner.id, "admin"]]);
    await expect(leave(admin.id)).rejects.toThrow(TeamNotFound);
  });

  test("a returning member has only the permissions of the new invitation", async () => {
    const made = await createTeamFor(ctx);
    const rich = await createTeammate(ctx, made, "admin", { mayManageBilling: true });
    await removeMember(ctx, { teamId: made.teamId, personId: made.owner.id, memberId: rich.id });
    const invitationId = await invite(ctx, made, rich.email, "admin");
    await acceptInvitation(ctx, {
      invitationId,
      personId: rich.id,
      personName: rich.name,
      verifiedEmails: [rich.email],
    });
    expect(await memberOfTeam(ctx, { teamId: made.teamId, personId: rich.id })).toMatchObject({
      role: "admin",
      mayManageBilling: false,
    });
  });

  test("the database protects the owner, and refuses unknown roles", async () => {
    const { teamId, owner } = await createTeamFor(ctx);
    const row = eq(organizationMembers.organizationId, teamId);
    const refuses = [
      [{ role: "basic_member" as const }, "team_billing_without_admin"],
      [{ role: "basic_member" as const, mayManageBilling: false }, "team_owner_stays"],
      [{ removedAt: 1 }, "team_owner_stays"],
      [{ mayManageBilling: false }, "team_owner_stays"],
      [{ role: "king" as "admin" }, "unknown_state"],
      [{ personId: "x" }, "immutable_membership"],
    ] as const;
    for (const [change, rule] of refuses)
      await expect(
        commit(ctx.db, [ctx.db.update(organizationMembers).set(change).where(row)]),
      ).rejects.toThrow(rule);
    await expect(commit(ctx.db, [ctx.db.delete(organizationMembers).where(row)])).rejects.toThrow(
      "immutable_membership",
    );
    await expect(
      commit(ctx.db, [
        ctx.db.update(organizations).set({ ownerId: "x" }).where(eq(organizations.id, teamId)),
      ]),
    ).rejects.toThrow("immutable_team_owner");
    expect(await memberSeat(ctx, { teamId, personId: owner.id })).not.toBeNull();
  });
});

describe("the end of a team", () => {
  test("is decided by the owner, by typing the name, and removes all access", async () => {
    const made = await createTeamFor(ctx);
    const admin = await createTeammate(ctx, made, "admin");
    const invitationId = await invite(ctx, made, "quem@exemplo.test");
    await expect(
      deleteTeam(ctx, { teamId: made.teamId, personId: admin.id, typedName: made.name }),
    ).rejects.toThrow(TeamPermissionDenied);
    await expect(
      deleteTeam(ctx, { teamId: made.teamId, personId: made.owner.id, typedName: "nome errado" }),
    ).rejects.toThrow(TeamNameMismatch);
    await deleteTeam(ctx, {
      teamId: made.teamId,
      personId: made.owner.id,
      typedName: made.name.toUpperCase(),
    });
    expect([
      await memberSeat(ctx, { teamId: made.teamId, personId: admin.id }),
      await memberSeats(ctx, { personId: made.owner.id }),
    ]).toEqual([null, []]);
    expect(
      await ctx.db
        .select({ status: organizationInvitations.status })
        .from(organizationInvitations)
        .where(eq(organizationInvitations.id, invitationId)),
    ).toEqual([{ status: "revoked" }]);
    await expect(
      commit(ctx.db, [
        ctx.db
          .update(organizations)
          .set({ deletedAt: null })
          .where(eq(organizations.id, made.teamId)),
      ]),
    ).rejects.toThrow("immutable_deleted_team");
    await expect(
      commit(ctx.db, [
        ctx.db
          .update(organizationMembers)
          .set({ removedAt: null })
          .where(eq(organizationMembers.personId, admin.id)),
      ]),
    ).rejects.toThrow("team_gone");
  });

  test("a banned owner's team gives nobody access until the ban ends", async () => {
    const made = await createTeamFor(ctx);
    const basic = await createTeammate(ctx, made);
    await ctx.db.update(people).set({ bannedAt: 1 }).where(eq(people.id, made.owner.id));
    expect(await memberSeat(ctx, { teamId: made.teamId, personId: basic.id })).toBeNull();
    expect(await memberSeats(ctx, { personId: basic.id })).toEqual([]);
    await ctx.db.update(people).set({ bannedAt: null }).where(eq(people.id, made.owner.id));
    expect(await memberSeat(ctx, { teamId: made.teamId, personId: basic.id })).not.toBeNull();
  });

  test("a removed member is notified", async () => {
    const made = await createTeamFor(ctx);
    const basic = await createTeammate(ctx, made);
    await removeMember(ctx, { teamId: made.teamId, personId: made.owner.id, memberId: basic.id });
    await world.tick();
    const notified = await ctx.db
      .select({ body: notifications.body })
      .from(notifications)
      .where(eq(notifications.personId, basic.id));
    expect(notified.map((row) => row.body)).toContain(`Você não está mais na equipe ${made.name}.`);
  });
});
