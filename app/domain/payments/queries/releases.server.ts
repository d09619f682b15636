import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { ReleasePart } from "#app/domain/payments/rules/releases.ts";
import { hasTurn } from "#app/domain/setbacks/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { chargeReleases, charges } from "#drizzle/schema/payments.ts";

/** The words of the indexes of what still waits. */
export const isHeldPart = sql`charge_releases.released_at IS NULL AND charge_releases.taken_cents < charge_releases.net_cents`;
/** The states of a charge whose parts may leave pending; of what is fought over nothing does. */
export const RELEASABLE = ["succeeded", "partially_refunded", "dispute_won"];

/** The parts of one charge's net, first the first; none before it is paid. Await it, or put it in a page's batch. */
export function partsOfCharge(ctx: Context, { chargeId }: { chargeId: string }) {
  return ctx.db
    .select({
      id: chargeReleases.id,
      position: chargeReleases.position,
      netCents: chargeReleases.netCents,
      takenCents: chargeReleases.takenCents,
      beginsAt: chargeReleases.beginsAt,
      releaseAt: chargeReleases.releaseAt,
      releasedAt: chargeReleases.releasedAt,
    })
    .from(chargeReleases)
    .where(eq(chargeReleases.chargeId, chargeId))
    .orderBy(asc(chargeReleases.position))
    .limit(MOST_PARTS);
}

/** As many as one charge may cover. */
const MOST_PARTS = 12;

export async function releasePart(ctx: Context, { releaseId }: { releaseId: string }): Promise<(ReleasePart & { chargeId: string }) | null> {
  const [row] = await ctx.db.select().from(chargeReleases).where(eq(chargeReleases.id, releaseId)).limit(1);
  return row ?? null;
}

/** Parts that may leave pending now, oldest first. Those of disputed charges wait for the decision. */
export async function releasesDue(ctx: Context, { now, limit }: { now: Instant; limit: number }): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: sql<string>`${chargeReleases.id}`.as("release_id") })
    .from(chargeReleases)
    .innerJoin(charges, eq(charges.id, chargeReleases.chargeId))
    .where(and(isHeldPart, lte(chargeReleases.releaseAt, now), inArray(charges.status, RELEASABLE), hasTurn(ctx, chargeReleases.id)))
    .orderBy(asc(chargeReleases.releaseAt))
    .limit(limit);
  return rows.map((row) => row.id);
}
