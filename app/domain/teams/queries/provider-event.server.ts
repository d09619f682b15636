import { and, eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { organizations } from "#drizzle/schema/teams.ts";

/**
 * Reads the team with the provider's `organizationId`, also a deleted one. Null before its first
 * event.
 */
export async function teamByProviderId(
  ctx: Context,
  { provider, organizationId }: { provider: string; organizationId: string },
): Promise<{
  teamId: string;
  ownerId: string;
  eventVersion: Instant;
  deletedAt: Instant | null;
} | null> {
  const row = await ctx.db
    .select({
      teamId: organizations.id,
      ownerId: organizations.ownerId,
      eventVersion: organizations.eventVersion,
      deletedAt: organizations.deletedAt,
    })
    .from(organizations)
    .where(
      and(
        eq(organizations.provider, provider),
        eq(organizations.providerOrganizationId, organizationId),
      ),
    )
    .get();
  return row ? { ...row, eventVersion: row.eventVersion ?? 0 } : null;
}

/** Reads the person of a provider's user. Null before their first sign-in here. */
export async function personByProviderUser(
  ctx: Context,
  { provider, userId }: { provider: string; userId: string },
): Promise<string | null> {
  const row = await ctx.db
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.provider, provider), eq(people.providerUserId, userId)))
    .get();
  return row?.id ?? null;
}
