import { and, eq, isNull } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import {
  DomainMissing,
  DomainNotVerified,
  DomainTaken,
  TeamNameMismatch,
  TeamNotFound,
  TeamNeedsPage,
  PublicMailDomain,
  SlugTaken,
  TeamExists,
} from "#app/domain/teams/errors.ts";
import { domainProblem, isNameTyped } from "#app/domain/teams/rules.ts";
import type { EnrolmentMode } from "#app/domain/teams/rules/roles.ts";
import {
  membershipRequests,
  organizationInvitations,
  organizationMembers,
  organizations,
} from "#drizzle/schema/teams.ts";
import { commitTeam, requireTeamSeat } from "./seat.server.ts";
import type { TeamActor } from "./seat.server.ts";

export type TeamProfile = { name: string; slug: string; logoMediaId: string | null };

/**
 * Creates the team of a person's page. They own and administer it. Refuses a person without a page,
 * and a second team for one page. Refuses a taken slug, and a person in too many teams. Source:
 * issue 3, "Organisations".
 */
export async function createTeam(
  ctx: Context,
  { ownerId, ...profile }: TeamProfile & { ownerId: string },
): Promise<{ teamId: string; slug: string }> {
  const owner = await profileOfPerson(ctx, { personId: ownerId });
  if (!owner?.isCreator) throw new TeamNeedsPage();
  const teamId = ctx.newId();
  const now = ctx.now();
  await named(async () =>
    commitTeam(ctx, [
      ctx.db
        .insert(organizations)
        .values({ id: teamId, ownerId, ...profile, createdAt: now, updatedAt: now }),
      ctx.db.insert(organizationMembers).values({
        organizationId: teamId,
        personId: ownerId,
        role: "admin",
        mayManageBilling: true,
        joinedAt: now,
      }),
    ]),
  );
  ctx.log("teams.team_created", { teamId, ownerId });
  return { teamId, slug: profile.slug };
}

/**
 * Updates name, slug and, when given, logo. Refuses an actor who cannot edit the team, and a taken
 * slug.
 */
export async function updateTeam(
  ctx: Context,
  { name, slug, logoMediaId, ...by }: TeamProfile & TeamActor,
): Promise<void> {
  await requireTeamSeat(ctx, by, "team:edit");
  await named(async () =>
    commitTeam(ctx, [
      change(ctx, by.teamId, { name, slug, ...(logoMediaId === null ? {} : { logoMediaId }) }),
    ]),
  );
}

/**
 * Changes the team's mail domain and its enrolment mode. The actor proves it by a verified e-mail
 * of that domain. Refuses public mail domains, and a domain of another team. Null removes it.
 * Source: spec section 3, "Domain enrollment modes".
 */
export async function changeDomain(
  ctx: Context,
  {
    domain,
    enrolment,
    verifiedEmails,
    ...by
  }: TeamActor & {
    domain: string | null;
    enrolment: EnrolmentMode;
    verifiedEmails: readonly string[];
  },
): Promise<void> {
  const seat = await requireTeamSeat(ctx, by, "team:edit");
  if (domain === null && enrolment !== "manual_invitation") throw new DomainMissing();
  const problem =
    domain === null || domain === seat.domain ? null : domainProblem(domain, verifiedEmails);
  if (problem !== null)
    throw problem === "public_mail" ? new PublicMailDomain() : new DomainNotVerified();
  await named(async () => commitTeam(ctx, [change(ctx, by.teamId, { domain, enrolment })]));
}

/**
 * Deletes the team for everybody. The page stays its owner's, with all published posts. Only the
 * owner can, by typing the team's name.
 */
export async function deleteTeam(
  ctx: Context,
  { typedName, ...by }: TeamActor & { typedName: string },
): Promise<void> {
  const seat = await requireTeamSeat(ctx, by, "team:delete");
  if (!isNameTyped(typedName, seat.teamName)) throw new TeamNameMismatch();
  await commitTeam(ctx, deleteTeamStatements(ctx, by.teamId));
  ctx.log("teams.team_deleted", { teamId: by.teamId, personId: by.personId });
}

/** Builds the statements that end a team's access: removes its members, closes what is open. */
export function deleteTeamStatements(ctx: Context, teamId: string) {
  const now = ctx.now();
  return [
    change(ctx, teamId, { deletedAt: now }),
    ctx.db
      .update(organizationMembers)
      .set({ removedAt: now })
      .where(
        and(eq(organizationMembers.organizationId, teamId), isNull(organizationMembers.removedAt)),
      ),
    ctx.db
      .update(organizationInvitations)
      .set({ status: "revoked", decidedAt: now })
      .where(
        and(
          eq(organizationInvitations.organizationId, teamId),
          eq(organizationInvitations.status, "pending"),
        ),
      ),
    ctx.db
      .update(membershipRequests)
      .set({ status: "rejected", decidedAt: now })
      .where(
        and(
          eq(membershipRequests.organizationId, teamId),
          eq(membershipRequests.status, "pending"),
        ),
      ),
  ];
}

function change(ctx: Context, teamId: string, values: Partial<typeof organizations.$inferInsert>) {
  return mustChangeOne(
    ctx.db
      .update(organizations)
      .set({ ...values, updatedAt: ctx.now() })
      .where(and(eq(organizations.id, teamId), isNull(organizations.deletedAt))),
  );
}

/** Maps a unique violation to the slug or domain that another team has. */
async function named(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof StaleWrite) throw new TeamNotFound();
    if (!(error instanceof UniqueViolation)) throw error;
    if (error.columns.includes("organizations.slug")) throw new SlugTaken();
    if (error.columns.includes("organizations.domain")) throw new DomainTaken();
    throw error.columns.includes("organizations.owner_id") ? new TeamExists() : error;
  }
}
