import type { Context } from "#app/domain/context.ts";
import { acceptInvitation, inviteToTeam } from "#app/domain/teams/commands/invitations.server.ts";
import { changeMember } from "#app/domain/teams/commands/members.server.ts";
import { createTeam } from "#app/domain/teams/commands/team.server.ts";
import type { TeamRole } from "#app/domain/teams/rules/roles.ts";
import {
  organizationInvitations,
  organizationMembers,
  organizations,
} from "#drizzle/schema/teams.ts";
import { and, desc, eq } from "drizzle-orm";
import { createModerator, createPerson, createSeller } from "./people.ts";
import type { Seller, TestPerson } from "./people.ts";

export type TestTeam = { teamId: string; slug: string; name: string; owner: Seller };

/** Creates a team for a seller's page. */
export async function createTeamFor(ctx: Context, owner?: Seller): Promise<TestTeam> {
  const made = owner ?? (await createSeller(ctx));
  const name = `Equipe ${made.username.slice(-6)}`;
  return {
    ...(await createTeam(ctx, {
      ownerId: made.id,
      name,
      slug: `equipe-${made.username}`,
      logoMediaId: null,
    })),
    name,
    owner: made,
  };
}

/** The id of the newest invitation to `email`. */
export async function invitationTo(
  ctx: Context,
  { teamId, email }: { teamId: string; email: string },
): Promise<string> {
  const [row] = await ctx.db
    .select({ id: organizationInvitations.id })
    .from(organizationInvitations)
    .where(
      and(
        eq(organizationInvitations.organizationId, teamId),
        eq(organizationInvitations.email, email),
      ),
    )
    .orderBy(desc(organizationInvitations.id))
    .limit(1);
  if (!row) throw new Error(`nobody invited ${email}`);
  return row.id;
}

export async function invite(
  ctx: Context,
  { teamId, owner }: TestTeam,
  email: string,
  role: TeamRole = "basic_member",
): Promise<string> {
  await inviteToTeam(ctx, {
    teamId,
    personId: owner.id,
    inviterName: owner.name,
    emails: [email],
    role,
  });
  return invitationTo(ctx, { teamId, email });
}

/** Creates a member and adds them to the team by invitation. */
export async function createTeammate(
  ctx: Context,
  made: TestTeam,
  role: TeamRole = "basic_member",
  { mayManageBilling = false, name = "Bruno Paz" } = {},
): Promise<TestPerson> {
  const joined = await createPerson(ctx, name);
  const invitationId = await invite(ctx, made, joined.email, role);
  await acceptInvitation(ctx, {
    invitationId,
    personId: joined.id,
    personName: joined.name,
    verifiedEmails: [joined.email],
  });
  if (mayManageBilling)
    await changeMember(ctx, {
      teamId: made.teamId,
      personId: made.owner.id,
      memberId: joined.id,
      role,
      mayManageBilling,
    });
  return joined;
}

/** Creates a moderator in a new team of `creatorId`, with access to its money. */
export async function moderatorInTeam(ctx: Context, creatorId: string): Promise<TestPerson> {
  const [organizationId, colleague, now] = [ctx.newId(), await createModerator(ctx), ctx.now()];
  await ctx.db.insert(organizations).values({
    id: organizationId,
    ownerId: creatorId,
    name: "Equipe",
    slug: organizationId,
    createdAt: now,
    updatedAt: now,
  });
  await ctx.db.insert(organizationMembers).values({
    organizationId,
    personId: colleague.id,
    role: "admin",
    mayManageBilling: true,
    joinedAt: now,
  });
  return colleague;
}
