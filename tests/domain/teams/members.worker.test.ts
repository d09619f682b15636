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
  BillingOwnerOnly,
  TeamNameMismatch,
  TeamMemberNotFound,
  TeamNotFound,
  TeamPermissionDenied,
  OwnerCannotLeave,
  OwnerCannotBeChanged,
} from "#app/domain/teams/errors.ts";
import { memberOfTeam, membersStatement, memberSeat } from "#app/domain/teams/queries.server.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { organizationMembers, organizations } from "#drizzle/schema/teams.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson } from "#tests/support/people.ts";
import { invite, createTeamFor, createTeammate } from "#tests/support/teams.ts";

let world: World;
let ctx: Context;
beforeAll(async () => {
  world = await testContext();
  ctx = world.ctx;
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
