import { and, eq, inArray, lte } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { TeamMessage } from "#app/domain/teams/schema/outbox.ts";
import {
  AlreadyInTeam,
  AlreadyInvited,
  InvitationExpired,
  InvitationForAnotherEmail,
  InvitationRevoked,
  InvitationUsed,
  InvitationNotFound,
  TooManyInvitations,
} from "#app/domain/teams/errors.ts";
import { invitationById } from "#app/domain/teams/queries.server.ts";
import {
  existingInvitees,
  invitationsSentSince,
  peopleByEmail,
} from "#app/domain/teams/queries/invitees.server.ts";
import {
  INVITATION_LIFE_MS,
  INVITATIONS_A_DAY,
  invitationStatus,
  maskEmail,
} from "#app/domain/teams/rules.ts";
import { ROLE_LABELS } from "#app/domain/teams/rules/roles.ts";
import type { TeamRole } from "#app/domain/teams/rules/roles.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { organizationInvitations } from "#drizzle/schema/teams.ts";
import { commitTeam, joinStatement, requireTeamSeat } from "./seat.server.ts";
import type { TeamActor } from "./seat.server.ts";

export type NewInvitations = TeamActor & {
  inviterName: string;
  emails: readonly string[];
  role: TeamRole;
};

/**
 * Invites people by e-mail. Each gets an email with a link, valid for 14 days. All or none: an
 * error names members and people with a live invitation. Refuses an actor who cannot manage
 * members, and more than 50 invitations in a day.
 */
export async function inviteToTeam(
  ctx: Context,
  { inviterName, emails, role, ...by }: NewInvitations,
): Promise<void> {
  const seat = await requireTeamSeat(ctx, by, "members:manage");
  // The trigger counts one team's. This also counts deleted teams, so that a new team has no new
  // quota.
  const sentToday = await invitationsSentSince(ctx, {
    ownerId: seat.owner.personId,
    since: ctx.now() - DAY_MS,
  });
  if (sentToday + emails.length > INVITATIONS_A_DAY) throw new TooManyInvitations();
  const { members, invited } = await existingInvitees(ctx, { teamId: by.teamId, emails });
  if (members.length > 0) throw new AlreadyInTeam(members);
  if (invited.length > 0) throw new AlreadyInvited(invited);
  const people = await peopleByEmail(ctx, { emails });
  const now = ctx.now();
  const made = emails.map((email) => ({ id: ctx.newId(), email }));
  const outboxOf = (id: string) => `team:${by.teamId}:invited:${id}`;
  const expiresAt = now + INVITATION_LIFE_MS;
  const link = (id: string) => `${ctx.settings.appOrigin}/settings/teams/invitations/${id}`;
  const invitationMessage = {
    type: "team.invited",
    teamName: seat.teamName,
    ownerName: seat.owner.name,
    inviterName,
    roleWord: ROLE_LABELS[role].label,
    expiresAt,
  } as const;
  const writes = [
    expiryStatement(ctx, { teamId: by.teamId, emails }),
    ...made.flatMap(({ id, email }) => [
      ctx.db.insert(organizationInvitations).values({
        id,
        organizationId: by.teamId,
        email,
        role,
        status: "pending",
        invitedBy: by.personId,
        createdAt: now,
        expiresAt,
      }),
      announce<TeamMessage>(ctx, outboxOf(id), {
        ...invitationMessage,
        invitationId: id,
        email,
        personId: people.get(email) ?? null,
        link: link(id),
      }),
    ]),
  ];
  try {
    await commitTeam(
      ctx,
      writes,
      made.map(({ id }) => outboxOf(id)),
    );
  } catch (error) {
    throw error instanceof UniqueViolation ? new AlreadyInvited([]) : error;
  }
  ctx.log("teams.invited", { teamId: by.teamId, personId: by.personId, count: made.length });
}

/** Expires a dead invitation, to make room for the next to the same address. */
function expiryStatement(
  ctx: Context,
  { teamId, emails }: { teamId: string; emails: readonly string[] },
) {
  const dead = and(
    eq(organizationInvitations.organizationId, teamId),
    eq(organizationInvitations.status, "pending"),
    lte(organizationInvitations.expiresAt, ctx.now()),
  );
  return ctx.db
    .update(organizationInvitations)
    .set({ status: "expired", decidedAt: ctx.now() })
    .where(and(dead, inArray(organizationInvitations.email, [...emails])));
}

/**
 * Revokes an invitation that nobody accepted. Refuses an actor who cannot manage members, and a
 * decided invitation.
 */
export async function revokeInvitation(
  ctx: Context,
  { invitationId, ...by }: TeamActor & { invitationId: string },
): Promise<void> {
  await requireTeamSeat(ctx, by, "members:manage");
  const own = and(
    eq(organizationInvitations.id, invitationId),
    eq(organizationInvitations.organizationId, by.teamId),
    eq(organizationInvitations.status, "pending"),
  );
  try {
    await commitTeam(ctx, [
      mustChangeOne(
        ctx.db
          .update(organizationInvitations)
          .set({ status: "revoked", decidedAt: ctx.now() })
          .where(own),
      ),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new InvitationNotFound() : error;
  }
}

export type InvitationAcceptance = {
  invitationId: string;
  personId: string;
  personName: string;
  verifiedEmails: readonly string[];
};

/**
 * Joins the team by an invitation to one of the person's verified e-mails. Safe to repeat by the
 * same person. Refuses an invitation to another person, and a revoked, expired or used one. Refuses
 * a full team, and a person in too many teams. Then the invitation stays open.
 */
export async function acceptInvitation(
  ctx: Context,
  { invitationId, personId, personName, verifiedEmails }: InvitationAcceptance,
): Promise<{ teamName: string; slug: string }> {
  const invitation = await invitationById(ctx, { invitationId });
  if (!invitation) throw new InvitationNotFound();
  const { teamId, teamName, slug, role, email } = invitation;
  if (invitation.acceptedBy === personId) return { teamName, slug };
  if (!verifiedEmails.includes(email)) throw new InvitationForAnotherEmail(maskEmail(email));
  refuseDecided(invitation, ctx.now());
  const now = ctx.now();
  const outboxId = `team:${teamId}:joined:${invitationId}`;
  const live = and(
    eq(organizationInvitations.id, invitationId),
    eq(organizationInvitations.status, "pending"),
  );
  const writes = [
    mustChangeOne(
      ctx.db
        .update(organizationInvitations)
        .set({ status: "accepted", decidedAt: now, acceptedBy: personId })
        .where(live),
    ),
    joinStatement(ctx, { teamId, personId, role }),
    announce<TeamMessage>(ctx, outboxId, {
      type: "team.joined",
      ownerId: invitation.ownerId,
      slug,
      teamName,
      memberName: personName,
    }),
  ];
  try {
    await commitTeam(ctx, writes, [outboxId]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    // Somebody was faster: the same person in another tab, or an admin who revoked it.
    const after = await invitationById(ctx, { invitationId });
    if (after) refuseDecidedByOther(after, { personId, now });
    else throw new InvitationNotFound();
  }
  ctx.log("teams.member_joined", { teamId, personId, by: "invitation" });
  return { teamName, slug };
}

function refuseDecidedByOther(
  invitation: Parameters<typeof invitationStatus>[0] & { acceptedBy: string | null },
  { personId, now }: { personId: string; now: number },
): void {
  if (invitation.acceptedBy !== personId) refuseDecided(invitation, now);
}

function refuseDecided(invitation: Parameters<typeof invitationStatus>[0], now: number): void {
  const status = invitationStatus(invitation, now);
  if (status === "revoked") throw new InvitationRevoked();
  if (status === "expired") throw new InvitationExpired();
  if (status === "accepted") throw new InvitationUsed();
}
