import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  personByProviderUser,
  teamByProviderId,
} from "#app/domain/teams/queries/provider-event.server.ts";
import { proposedSlug } from "#app/domain/teams/rules.ts";
import type {
  MembershipEvent,
  TeamEvent,
  TeamEventOutcome,
} from "#app/domain/teams/schema/provider-event.ts";
import { organizationMembers, organizations } from "#drizzle/schema/teams.ts";
import { deleteTeamStatements } from "./team.server.ts";

/**
 * Applies a hosted provider's event of an organisation: created, renamed or deleted. Safe to repeat
 * and in any order. An event older than the known state changes nothing, and nothing follows a
 * deletion. Refuses a person's second organisation: one page, one team.
 */
export async function applyTeamEvent(
  ctx: Context,
  { provider, event }: { provider: string; event: TeamEvent },
): Promise<TeamEventOutcome> {
  const team = await teamByProviderId(ctx, { provider, organizationId: event.organizationId });
  if (team && (team.deletedAt !== null || team.eventVersion >= event.version)) return "old";
  if (event.kind === "deleted")
    return attempt(
      ctx,
      team ? deleteTeamStatements(ctx, team.teamId) : [tombstone(ctx, provider, event)],
    );
  const fields = { name: event.name, eventVersion: event.version, updatedAt: ctx.now() };
  if (team) {
    const isNewer = and(
      eq(organizations.id, team.teamId),
      isNull(organizations.deletedAt),
      lt(organizations.eventVersion, event.version),
    );
    return withSlug(ctx, event, (slug) => [
      mustChangeOne(
        ctx.db
          .update(organizations)
          .set({ ...fields, slug })
          .where(isNewer),
      ),
    ]);
  }
  const ownerId = await personByProviderUser(ctx, { provider, userId: event.ownerUserId });
  if (ownerId === null) return "unknown";
  const teamId = ctx.newId();
  return withSlug(ctx, event, (slug) => [
    ctx.db.insert(organizations).values({
      id: teamId,
      ownerId,
      slug,
      provider,
      providerOrganizationId: event.organizationId,
      createdAt: ctx.now(),
      ...fields,
    }),
    ctx.db.insert(organizationMembers).values({
      organizationId: teamId,
      personId: ownerId,
      role: "admin",
      mayManageBilling: true,
      joinedAt: ctx.now(),
    }),
  ]);
}

/**
 * Applies a hosted provider's event of a membership, by the same rules. The owner's own seat never
 * changes.
 */
export async function applyMembershipEvent(
  ctx: Context,
  { provider, event }: { provider: string; event: MembershipEvent },
): Promise<TeamEventOutcome> {
  const team = await teamByProviderId(ctx, { provider, organizationId: event.organizationId });
  const personId = await personByProviderUser(ctx, { provider, userId: event.userId });
  if (!team || personId === null) return "unknown";
  if (team.deletedAt !== null) return "old";
  if (team.ownerId === personId)
    return event.kind === "removed" || event.role !== "admin" ? "refused" : "old";
  const now = ctx.now();
  const place =
    event.kind === "removed"
      ? {
          role: "guest_member" as const,
          mayManageBilling: false,
          removedAt: now,
          eventVersion: event.version,
        }
      : {
          role: event.role,
          mayManageBilling: event.mayManageBilling && event.role === "admin",
          removedAt: null,
          eventVersion: event.version,
        };
  return attempt(ctx, [
    mustChangeOne(
      ctx.db
        .insert(organizationMembers)
        .values({ organizationId: team.teamId, personId, joinedAt: now, ...place })
        .onConflictDoUpdate({
          target: [organizationMembers.organizationId, organizationMembers.personId],
          set: place,
          setWhere: or(
            isNull(organizationMembers.eventVersion),
            lt(organizationMembers.eventVersion, event.version),
          ),
        }),
    ),
  ]);
}

/**
 * Returns the provider's slug, or one made of the name. Adds a unique suffix where another team has
 * it.
 */
async function withSlug(
  ctx: Context,
  event: Extract<TeamEvent, { kind: "changed" }>,
  writes: (slug: string) => BatchWrite[],
): Promise<TeamEventOutcome> {
  const wanted = event.slug ?? (proposedSlug(event.name) || "equipe");
  try {
    return await attempt(ctx, writes(wanted));
  } catch (error) {
    if (!(error instanceof UniqueViolation) || !error.columns.includes("organizations.slug"))
      throw error;
    return attempt(ctx, writes(`${wanted.slice(0, 50)}-${ctx.newId().slice(-6)}`));
  }
}

/** Records a deletion that came before any other event of its team. No later event creates the team. */
function tombstone(
  ctx: Context,
  provider: string,
  { organizationId, version }: TeamEvent,
): BatchWrite {
  const id = ctx.newId();
  const now = ctx.now();
  return ctx.db
    .insert(organizations)
    .values({
      id,
      ownerId: "",
      name: "",
      slug: id,
      provider,
      providerOrganizationId: organizationId,
      eventVersion: version,
      createdAt: now,
      updatedAt: now,
      deletedAt: now,
    })
    .onConflictDoUpdate({
      target: [organizations.provider, organizations.providerOrganizationId],
      set: { deletedAt: sql`coalesce(${organizations.deletedAt}, ${now})` },
    });
}

async function attempt(ctx: Context, writes: BatchWrite[]): Promise<TeamEventOutcome> {
  try {
    await commit(ctx.db, writes);
    return "applied";
  } catch (error) {
    if (error instanceof StaleWrite) return "old";
    if (error instanceof RuleViolation) return refused(ctx, error.rule);
    // Two deliveries in parallel: the other one created it.
    if (error instanceof UniqueViolation && error.columns.includes("provider_organization_id"))
      return "unknown";
    if (error instanceof UniqueViolation && error.columns.includes("organizations.owner_id"))
      return refused(ctx, "team_one_a_space");
    throw error;
  }
}

function refused(ctx: Context, rule: string): TeamEventOutcome {
  ctx.log("teams.told_refused", { rule });
  return "refused";
}
