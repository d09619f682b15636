import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isHiddenByAge } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { enrollingDomains } from "./rules.ts";
import type { EnrolmentMode, TeamRole } from "#app/domain/teams/rules/roles.ts";
import type { InvitationStatus, Seat, TeamMember } from "./schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import {
  membershipRequests,
  organizationInvitations,
  organizationMembers,
  organizations,
} from "#drizzle/schema/teams.ts";

const LISTED_MAX = 100;

/**
 * A team that exists, of an owner who is not banned, leaving or deleted. Any other membership
 * grants nothing.
 */
const isLive = and(
  isNull(organizations.deletedAt),
  isNull(people.bannedAt),
  isNull(people.leavingAt),
  isNull(people.deletedAt),
);

const seatColumns = {
  teamId: organizations.id,
  teamName: sql<string>`${organizations.name}`.as("team_name"),
  slug: organizations.slug,
  domain: organizations.domain,
  // The trigger allows no other values.
  enrolment: sql<EnrolmentMode>`${organizations.enrolment}`.as("enrolment"),
  logoMediaId: organizations.logoMediaId,
  provider: sql<string | null>`${organizations.provider}`.as("kept_by"),
  role: organizationMembers.role,
  mayManageBilling: organizationMembers.mayManageBilling,
  ownerId: organizations.ownerId,
  ownerUsername: profiles.username,
  ownerName: sql<string>`${profiles.name}`.as("owner_name"),
  ownerAvatarMediaId: profiles.avatarMediaId,
  ownerIsCreator: profiles.isCreator,
};

function seatRows(ctx: Context, personId: string, condition?: SQL) {
  return ctx.db
    .select(seatColumns)
    .from(organizationMembers)
    .innerJoin(organizations, eq(organizations.id, organizationMembers.organizationId))
    .innerJoin(people, eq(people.id, organizations.ownerId))
    .innerJoin(profiles, eq(profiles.personId, organizations.ownerId))
    .where(
      and(
        eq(organizationMembers.personId, personId),
        isNull(organizationMembers.removedAt),
        isLive,
        condition,
      ),
    )
    .orderBy(asc(organizationMembers.joinedAt), asc(organizations.id))
    .limit(LISTED_MAX);
}

type SeatRow = Awaited<ReturnType<typeof seatRows>>[number];

function seatFrom(
  personId: string,
  { ownerId, ownerUsername, ownerName, ownerAvatarMediaId, ownerIsCreator, ...row }: SeatRow,
): Seat {
  return {
    ...row,
    isOwner: ownerId === personId,
    owner: {
      personId: ownerId,
      username: ownerUsername,
      name: ownerName,
      avatarMediaId: ownerAvatarMediaId,
      isCreator: ownerIsCreator,
    },
  };
}

/**
 * Reads the seat of `personId` in one team, by its id or its slug. Null when there is none, or the
 * team or its owner is gone.
 */
export async function memberSeat(
  ctx: Context,
  { personId, ...team }: { personId: string } & ({ teamId: string } | { slug: string }),
): Promise<Seat | null> {
  const [row] = await seatRows(
    ctx,
    personId,
    "teamId" in team ? eq(organizations.id, team.teamId) : eq(organizations.slug, team.slug),
  );
  return row ? seatFrom(personId, row) : null;
}

/** The same, for acting for the page. On an adult page only the owner and verified adults can act. */
export async function activeSeat(
  ctx: Context,
  { teamId, personId }: { teamId: string; personId: string },
): Promise<Seat | null> {
  const opens = sql`NOT ${isHiddenByAge(personId, sql`organizations.owner_id`, ctx.settings.adultSpaces)}`;
  const [row] = await seatRows(ctx, personId, and(eq(organizations.id, teamId), opens));
  return row ? seatFrom(personId, row) : null;
}

/** Builds the statement behind `memberSeats`, for a page's batch. `seatsFromRows` parses its rows. */
export function seatsStatement(ctx: Context, { personId }: { personId: string }) {
  return seatRows(ctx, personId);
}

function seatsFromRows(rows: SeatRow[], personId: string): Seat[] {
  return rows.map((row) => seatFrom(personId, row));
}

/** Reads every team seat of `personId`, the oldest first. */
export async function memberSeats(
  ctx: Context,
  { personId }: { personId: string },
): Promise<Seat[]> {
  return seatsFromRows(await seatRows(ctx, personId), personId);
}

/** Builds the statement that reads a team's members: the owner first, then by when they joined. */
export function membersStatement(ctx: Context, { teamId }: { teamId: string }) {
  return ctx.db
    .select({
      personId: organizationMembers.personId,
      name: profiles.name,
      username: profiles.username,
      avatarMediaId: profiles.avatarMediaId,
      role: organizationMembers.role,
      mayManageBilling: organizationMembers.mayManageBilling,
      isOwner: sql<boolean>`${organizations.ownerId} = ${organizationMembers.personId}`
        .mapWith((value: number) => value === 1)
        .as("is_owner"),
      joinedAt: organizationMembers.joinedAt,
    })
    .from(organizationMembers)
    .innerJoin(organizations, eq(organizations.id, organizationMembers.organizationId))
    .innerJoin(profiles, eq(profiles.personId, organizationMembers.personId))
    .where(
      and(eq(organizationMembers.organizationId, teamId), isNull(organizationMembers.removedAt)),
    )
    .orderBy(
      desc(sql`${organizations.ownerId} = ${organizationMembers.personId}`),
      asc(organizationMembers.joinedAt),
    )
    .limit(LISTED_MAX);
}

/** Reads one member of a team, or null. */
export async function memberOfTeam(
  ctx: Context,
  { teamId, personId }: { teamId: string; personId: string },
): Promise<TeamMember | null> {
  const rows = await membersStatement(ctx, { teamId });
  return rows.find((member) => member.personId === personId) ?? null;
}

type InvitationRow = {
  id: string;
  email: string;
  role: TeamRole;
  status: InvitationStatus;
  createdAt: Instant;
  expiresAt: Instant;
};

/** Builds the statement that reads a team's invitations, newest first. */
export function invitationsStatement(ctx: Context, { teamId }: { teamId: string }) {
  return ctx.db
    .select({
      id: organizationInvitations.id,
      email: organizationInvitations.email,
      role: organizationInvitations.role,
      status: organizationInvitations.status,
      createdAt: organizationInvitations.createdAt,
      expiresAt: organizationInvitations.expiresAt,
    })
    .from(organizationInvitations)
    .where(eq(organizationInvitations.organizationId, teamId))
    .orderBy(desc(organizationInvitations.createdAt), desc(organizationInvitations.id))
    .limit(LISTED_MAX);
}

/** Builds the statement that reads the open join requests of a team, oldest first. */
export function requestsStatement(ctx: Context, { teamId }: { teamId: string }) {
  return ctx.db
    .select({
      requestId: membershipRequests.id,
      personId: membershipRequests.personId,
      name: profiles.name,
      username: profiles.username,
      avatarMediaId: profiles.avatarMediaId,
      createdAt: sql<number>`${membershipRequests.createdAt}`.as("requested_at"),
    })
    .from(membershipRequests)
    .innerJoin(profiles, eq(profiles.personId, membershipRequests.personId))
    .where(
      and(eq(membershipRequests.organizationId, teamId), eq(membershipRequests.status, "pending")),
    )
    .orderBy(asc(membershipRequests.createdAt))
    .limit(LISTED_MAX);
}

export type InvitationToAnswer = InvitationRow & {
  teamId: string;
  teamName: string;
  slug: string;
  acceptedBy: string | null;
  ownerId: string;
  ownerName: string;
  logoMediaId: string | null;
};

function invitationRows(ctx: Context, condition: SQL | undefined) {
  return ctx.db
    .select({
      id: organizationInvitations.id,
      email: organizationInvitations.email,
      role: organizationInvitations.role,
      status: organizationInvitations.status,
      createdAt: sql<number>`${organizationInvitations.createdAt}`.as("invited_at"),
      expiresAt: organizationInvitations.expiresAt,
      acceptedBy: organizationInvitations.acceptedBy,
      teamId: sql<string>`${organizations.id}`.as("team_id"),
      teamName: sql<string>`${organizations.name}`.as("team_name"),
      slug: organizations.slug,
      logoMediaId: organizations.logoMediaId,
      ownerId: organizations.ownerId,
      ownerName: sql<string>`${profiles.name}`.as("owner_name"),
    })
    .from(organizationInvitations)
    .innerJoin(organizations, eq(organizations.id, organizationInvitations.organizationId))
    .innerJoin(people, eq(people.id, organizations.ownerId))
    .innerJoin(profiles, eq(profiles.personId, organizations.ownerId))
    .where(and(isLive, condition))
    .orderBy(desc(organizationInvitations.createdAt))
    .limit(LISTED_MAX);
}

/** Reads one invitation of a live team, whoever it is for, or null. */
export async function invitationById(
  ctx: Context,
  { invitationId }: { invitationId: string },
): Promise<InvitationToAnswer | null> {
  const [row] = await invitationRows(ctx, eq(organizationInvitations.id, invitationId));
  return row ?? null;
}

/** Returns the open invitations to any of these verified e-mails. */
export async function invitationsFor(
  ctx: Context,
  { verifiedEmails }: { verifiedEmails: readonly string[] },
): Promise<InvitationToAnswer[]> {
  const theirs = sql`${organizationInvitations.email} IN (SELECT value FROM json_each(${JSON.stringify(verifiedEmails)}))`;
  const waits = sql`${organizationInvitations.status} = 'pending' AND ${organizationInvitations.expiresAt} > ${ctx.now()}`;
  return invitationRows(ctx, and(theirs, waits));
}

export type Suggestion = {
  teamId: string;
  teamName: string;
  slug: string;
  ownerId: string;
  domain: string | null;
  enrolment: EnrolmentMode;
  ownerName: string;
  logoMediaId: string | null;
  /** Requested and not answered yet. */
  isPending: boolean;
};

/**
 * Returns the teams suggested to a person with these verified e-mails. The team has one of their
 * domains. They were never a member, and were not rejected. A former member returns only by an
 * invitation.
 */
export async function suggestionsFor(
  ctx: Context,
  { personId, verifiedEmails }: { personId: string; verifiedEmails: readonly string[] },
): Promise<Suggestion[]> {
  const domains = JSON.stringify(enrollingDomains(verifiedEmails));
  const asked = (status: string) =>
    sql`EXISTS (SELECT 1 FROM membership_requests r WHERE r.organization_id = ${organizations.id} AND r.person_id = ${personId} AND r.status = ${status})`;
  return ctx.db
    .select({
      teamId: sql<string>`${organizations.id}`.as("team_id"),
      teamName: sql<string>`${organizations.name}`.as("team_name"),
      slug: organizations.slug,
      ownerId: organizations.ownerId,
      domain: organizations.domain,
      enrolment: sql<EnrolmentMode>`${organizations.enrolment}`.as("enrolment"),
      ownerName: sql<string>`${profiles.name}`.as("owner_name"),
      logoMediaId: organizations.logoMediaId,
      isPending: sql<boolean>`${asked("pending")}`
        .mapWith((value: number) => value === 1)
        .as("is_pending"),
    })
    .from(organizations)
    .innerJoin(people, eq(people.id, organizations.ownerId))
    .innerJoin(profiles, eq(profiles.personId, organizations.ownerId))
    .where(
      and(
        isLive,
        sql`${organizations.domain} IN (SELECT value FROM json_each(${domains}))`,
        sql`${organizations.enrolment} <> 'manual_invitation'`,
        sql`NOT EXISTS (SELECT 1 FROM organization_members m WHERE m.organization_id = ${organizations.id} AND m.person_id = ${personId})`,
        sql`NOT ${asked("rejected")}`,
      ),
    )
    .limit(LISTED_MAX);
}

/** Reads one open join request with its person; null when it was answered. */
export async function openRequest(
  ctx: Context,
  { teamId, requestId }: { teamId: string; requestId: string },
) {
  const rows = await requestsStatement(ctx, { teamId });
  return rows.find((request) => request.requestId === requestId) ?? null;
}
