import { and, asc, eq, getTableColumns, inArray, lte, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { creatorDebtRows } from "#app/domain/ledger/queries.server.ts";
import type { Cents } from "#app/domain/money.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { chargeReleases, charges } from "#drizzle/schema/payments.ts";

/** SQL condition of pending parts, in the words of their indexes. Disputed amounts are not pending. */
export const isPendingPart = sql`charge_releases.released_at IS NULL AND charge_releases.taken_cents < charge_releases.net_cents AND charge_releases.taken_cents + charge_releases.disputed_cents < charge_releases.net_cents`;
/** SQL for the pending amount of a part (centavos), where `isPendingPart`. */
export const pendingPartCents = sql<Cents>`charge_releases.net_cents - charge_releases.taken_cents - charge_releases.disputed_cents`;
/** Statuses of a charge that can be refunded (`isRefundable`). */
export const REFUNDABLE_STATUSES = ["succeeded", "partially_refunded", "dispute_won"];
/** Statuses of a charge whose parts can be released (`isReleasable`). */
export const RELEASABLE_STATUSES = [...REFUNDABLE_STATUSES, "disputed"];

/**
 * Reads the release parts of a charge, in order; none before it is paid. Await it, or add it to a
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

/** The most periods that one charge covers. */
const MOST_PARTS = 12;

/**
 * Loads these parts with the state of their charges that decides the release. Also loads their
 * creators' debts (centavos, by creator). One round trip.
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

/** Lists parts that are due for release, oldest first. Disputed amounts wait for the decision. */
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
