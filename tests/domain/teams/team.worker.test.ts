import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { removeMember } from "#app/domain/teams/commands/members.server.ts";
import {
  changeDomain,
  createTeam,
  deleteTeam,
  updateTeam,
} from "#app/domain/teams/commands/team.server.ts";
import {
  DomainMissing,
  DomainNotVerified,
  DomainTaken,
  TeamNameMismatch,
  TeamNotFound,
  TeamPermissionDenied,
  TeamNeedsPage,
  PublicMailDomain,
  SlugTaken,
  TeamExists,
} from "#app/domain/teams/errors.ts";
import { memberSeat, memberSeats } from "#app/domain/teams/queries.server.ts";
import { people } from "#drizzle/schema/identity.ts";
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
