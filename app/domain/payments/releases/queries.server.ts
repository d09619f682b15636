import { and, asc, eq, getTableColumns, inArray, lte, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { creatorDebtRows } from "#app/domain/ledger/queries.server.ts";
import type { Cents } from "#app/domain/money.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { chargeReleases, charges } from "#drizzle/schema/payments.ts";

/** What still waits, in the words of its indexes; of what is fought over only the rest does. */
export const isPendingPart = sql`charge_releases.released_at IS NULL AND charge_releases.taken_cents < charge_releases.net_cents AND charge_releases.taken_cents + charge_releases.disputed_cents < charge_releases.net_cents`;
/** What of a part waits to leave pending (centavos), where `isPendingPart`. */
export const pendingPartCents = sql<Cents>`charge_releases.net_cents - charge_releases.taken_cents - charge_releases.disputed_cents`;
/** The states of a charge of which something may go back (`isRefundable`). */
export const REFUNDABLE_STATUSES = ["succeeded", "partially_refunded", "dispute_won"];
/** The states of a charge whose parts may leave pending (`isReleasable`). */
export const RELEASABLE_STATUSES = [...REFUNDABLE_STATUSES, "disputed"];

/**
 * The parts of one charge's net, first the first; none before it is paid. Await it, or put it in a
 * page's batch.
 */
export function chargeReleaseParts(
  { db }: Pick<Context, "db">,
  { chargeId }: { chargeId: string | SQL<string> },
) {
  return db
    .select({
      id: chargeReleases.id,
      position: chargeReleases.position,
      netCents: chargeReleases.netCents,
      takenCents: chargeReleases.takenCents,
      disputedCents: chargeReleases.disputedCents,
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

/**
 * These parts with what of their charges decides whether and how they leave pending, and what their
 * creators owe (centavos, by creator): in one round trip.
 */
export async function partsToRelease(
  ctx: Context,
  { releaseIds }: { releaseIds: readonly string[] },
) {
  const ids = sql`SELECT value FROM json_each(${JSON.stringify(releaseIds)})`;
  const {
    id,
    position,
    netCents,
    takenCents,
    disputedCents,
    beginsAt,
    releaseAt,
    releasedAt,
    chargeId,
  } = getTableColumns(chargeReleases);
  const { creatorId, provider, status, pendingCents } = getTableColumns(charges);
  const [parts, owing] = await ctx.db.batch([
    ctx.db
      .select({
        id,
        position,
        netCents,
        takenCents,
        disputedCents,
        beginsAt,
        releaseAt,
        releasedAt,
        chargeId,
        creatorId,
        provider,
        status,
        pendingCents,
      })
      .from(chargeReleases)
      .innerJoin(charges, eq(charges.id, chargeReleases.chargeId))
      .where(sql`${chargeReleases.id} IN (${ids})`)
      .orderBy(asc(chargeReleases.releaseAt), asc(chargeReleases.id))
      .limit(releaseIds.length),
    creatorDebtRows(ctx, {
      creatorIds: sql`SELECT indebted.creator_id FROM charge_releases indebted WHERE indebted.id IN (${ids})`,
      limit: releaseIds.length,
    }),
  ]);
  return {
    parts: parts.map((part) => ({ ...part, status: part.status as ChargeStatus })),
    owedCents: new Map(owing.map(({ creatorId: owner, cents }) => [owner, cents])),
  };
}

/**
 * Parts that may leave pending now, oldest first. What is fought over of them waits for the
 * decision.
 */
export async function releasesDue(
  ctx: Context,
  { now, limit }: { now: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: sql<string>`${chargeReleases.id}`.as("release_id") })
    .from(chargeReleases)
    .innerJoin(charges, eq(charges.id, chargeReleases.chargeId))
    .where(
      and(
        isPendingPart,
        lte(chargeReleases.releaseAt, now),
        inArray(charges.status, RELEASABLE_STATUSES),
        isRetryDue(ctx, chargeReleases.id),
      ),
    )
    .orderBy(asc(chargeReleases.releaseAt))
    .limit(limit);
  return rows.map((row) => row.id);
}
