import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { leaveTeam } from "#app/domain/teams/commands/members.server.ts";
import {
  applyMembershipEvent,
  applyTeamEvent,
} from "#app/domain/teams/commands/provider-event.server.ts";
import { deleteTeam } from "#app/domain/teams/commands/team.server.ts";
import { TeamManagedByProvider } from "#app/domain/teams/errors.ts";
import { memberSeat, memberSeats } from "#app/domain/teams/queries.server.ts";
import type { MembershipEvent, TeamEvent } from "#app/domain/teams/schema/provider-event.ts";
import { organizations } from "#drizzle/schema/teams.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { createTeamFor } from "#tests/support/teams.ts";

let ctx: Context;
beforeAll(async () => {
  ({ ctx } = await testContext());
});

// The people of `createPerson()` belong to the provider "test", under their own id.
const applyTeam = (told: TeamEvent) => applyTeamEvent(ctx, { provider: "test", event: told });
const applyMembership = (told: MembershipEvent) =>
  applyMembershipEvent(ctx, { provider: "test", event: told });

async function currentTeam(): Promise<{
  owner: TestPerson;
  organizationId: string;
  made: Extract<TeamEvent, { kind: "changed" }>;
}> {
  const owner = await createPerson(ctx, "Ana");
  const organizationId = `org_${owner.id}`;
  const made = {
    kind: "changed",
    organizationId,
    version: 10,
    name: "Casa",
    slug: `casa-${owner.username}`,
    ownerUserId: owner.id,
  } as const;
  expect(await applyTeam(made)).toBe("applied");
  return { owner, organizationId, made };
}

describe("an organisation event", () => {
  test("creates the owner's team; a newer event renames it, an older one never does", async () => {
    const { owner, organizationId, made } = await currentTeam();
    const [seat] = await memberSeats(ctx, { personId: owner.id });
    expect(seat).toMatchObject({ teamName: "Casa", isOwner: true, provider: "test" });
    expect(await applyTeam(made)).toBe("old");
    expect(await applyTeam({ ...made, version: 30, name: "Casa Nova" })).toBe("applied");
    expect(await applyTeam({ ...made, version: 20, name: "Casa Velha" })).toBe("old");
    expect((await memberSeats(ctx, { personId: owner.id }))[0]?.teamName).toBe("Casa Nova");
    expect(await applyTeam({ kind: "deleted", organizationId, version: 40 })).toBe("applied");
    expect(await memberSeats(ctx, { personId: owner.id })).toEqual([]);
    expect(await applyTeam({ ...made, version: 50 })).toBe("old");
  });

  test("delivered ten times at once creates one team", async () => {
    const owner = await createPerson(ctx, "Ana");
    const made = {
      kind: "changed",
      organizationId: `org_${owner.id}`,
      version: 1,
      name: "Casa",
      slug: null,
      ownerUserId: owner.id,
    } as const;
    await Promise.all(Array.from({ length: 10 }, () => applyTeam(made)));
    expect(await applyTeam(made)).toBe("old");
    expect(await ctx.db.$count(organizations, eq(organizations.ownerId, owner.id))).toBe(1);
  });

  test("a deletion that arrives first is remembered", async () => {
    const owner = await createPerson(ctx, "Ana");
    const made = {
      kind: "changed",
      organizationId: `org_${owner.id}`,
      version: 1,
      name: "Casa",
      slug: "casa",
      ownerUserId: owner.id,
    } as const;
    expect(
      await applyTeam({ kind: "deleted", organizationId: made.organizationId, version: 2 }),
    ).toBe("applied");
    expect(await applyTeam(made)).toBe("old");
    expect(await memberSeats(ctx, { personId: owner.id })).toEqual([]);
  });

  test("of an unknown person is retried later; a second organisation for a page is refused", async () => {
    const { owner, made } = await currentTeam();
    expect(await applyTeam({ ...made, organizationId: "org_x", ownerUserId: "nobody" })).toBe(
      "unknown",
    );
    expect(
      await applyTeam({
        ...made,
        organizationId: `org_2_${owner.id}`,
        slug: `outra-${owner.username}`,
      }),
    ).toBe("refused");
  });

  test("with another team's address gets a suffix", async () => {
    const other = await createTeamFor(ctx);
    const owner = await createPerson(ctx, "Ana");
    expect(
      await applyTeam({
        kind: "changed",
        organizationId: `org_${owner.id}`,
        version: 1,
        name: "Casa",
        slug: other.slug,
        ownerUserId: owner.id,
      }),
    ).toBe("applied");
    const [seat] = await memberSeats(ctx, { personId: owner.id });
    expect(seat?.slug).toMatch(new RegExp(`^${other.slug.slice(0, 50)}-[0-9a-f]{6}$`));
  });

  test("gives a team that can only be deleted or left at its provider", async () => {
    const { owner, organizationId } = await currentTeam();
    const bruno = await createPerson(ctx, "Bruno");
    await applyMembership({
      kind: "changed",
      organizationId,
      userId: bruno.id,
      version: 1,
      role: "admin",
      mayManageBilling: false,
    });
    const [seat] = await memberSeats(ctx, { personId: owner.id });
    const teamId = seat?.teamId ?? "";
    await expect(
      deleteTeam(ctx, { teamId, personId: owner.id, typedName: "Casa" }),
    ).rejects.toThrow(TeamManagedByProvider);
    await expect(leaveTeam(ctx, { teamId, personId: bruno.id, typedName: "Casa" })).rejects.toThrow(
      TeamManagedByProvider,
    );
  });
});

describe("a membership event", () => {
  test("is applied in any order, by its version", async () => {
    const { organizationId, owner } = await currentTeam();
    const bruno = await createPerson(ctx, "Bruno");
    const change = {
      kind: "changed",
      organizationId,
      userId: bruno.id,
      role: "admin",
      mayManageBilling: true,
    } as const;
    const [seat] = await memberSeats(ctx, { personId: owner.id });
    const place = async () => {
      const found = await memberSeat(ctx, { teamId: seat?.teamId ?? "", personId: bruno.id });
      return found && [found.role, found.mayManageBilling];
    };
    expect(
      await applyMembership({ kind: "removed", organizationId, userId: bruno.id, version: 5 }),
    ).toBe("applied");
    expect(await applyMembership({ ...change, version: 4 })).toBe("old");
    expect(await place()).toBeNull();
    expect(await applyMembership({ ...change, version: 6 })).toBe("applied");
    expect(await place()).toEqual(["admin", true]);
    expect(await applyMembership({ ...change, version: 7, role: "guest_member" })).toBe("applied");
    expect(await place()).toEqual(["guest_member", false]);
    expect(
      await applyMembership({ kind: "removed", organizationId, userId: bruno.id, version: 8 }),
    ).toBe("applied");
    expect(await place()).toBeNull();
  });

  test("leaves the owner unchanged", async () => {
    const { owner, organizationId } = await currentTeam();
    expect(
      await applyMembership({ kind: "removed", organizationId, userId: owner.id, version: 99 }),
    ).toBe("refused");
    expect(
      await applyMembership({
        kind: "changed",
        organizationId,
        userId: owner.id,
        version: 99,
        role: "basic_member",
        mayManageBilling: false,
      }),
    ).toBe("refused");
    expect((await memberSeats(ctx, { personId: owner.id }))[0]).toMatchObject({
      role: "admin",
      isOwner: true,
    });
  });

  test("of an unknown team or person is retried later", async () => {
    const { organizationId } = await currentTeam();
    const change = {
      kind: "changed",
      organizationId,
      userId: "nobody",
      version: 1,
      role: "admin",
      mayManageBilling: false,
    } as const;
    expect([
      await applyMembership(change),
      await applyMembership({ ...change, organizationId: "org_none" }),
    ]).toEqual(["unknown", "unknown"]);
  });
});
