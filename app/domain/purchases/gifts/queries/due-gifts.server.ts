import { and, asc, eq, inArray, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { gifts } from "#drizzle/schema/purchases.ts";

const isWaiting = and(isNotNull(gifts.paidAt), isNull(gifts.endedAt), isNull(gifts.claimedAt));

type DueGiftsRequest = { now: Instant; limit: number };

/** Lists gifts whose delivery day has come. */
export async function dueGiftDeliveries(
  ctx: Context,
  { now, limit }: DueGiftsRequest,
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: gifts.id })
    .from(gifts)
    .where(
      and(
        isWaiting,
        isNotNull(gifts.deliverAt),
        isNull(gifts.deliveredAt),
        ne(gifts.recipientEmail, ""),
        lte(gifts.deliverAt, now),
        isRetryDue(ctx, gifts.id),
      ),
    )
    .orderBy(asc(gifts.deliverAt))
    .limit(limit);
  return rows.map((row) => row.id);
}

/**
 * Lists gifts that were not claimed in time, and gifts of pages banned since before `bannedBefore`.
 * Disputed gifts wait for the decision.
 */
export async function expiredGifts(
  ctx: Context,
  { now, bannedBefore, limit }: DueGiftsRequest & { bannedBefore: Instant },
): Promise<string[]> {
  const isBanned = sql`${gifts.creatorId} IN (SELECT banned.id FROM people banned WHERE banned.banned_at <= ${bannedBefore})`;
  const rows = await ctx.db
    .select({ id: gifts.id })
    .from(gifts)
    .innerJoin(charges, eq(charges.id, gifts.chargeId))
    .where(
      and(
        isWaiting,
        or(lte(gifts.claimUntil, now), isBanned),
        inArray(charges.status, ["succeeded", "partially_refunded", "dispute_won"]),
        isRetryDue(ctx, gifts.id),
      ),
    )
    .orderBy(asc(gifts.claimUntil))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Lists unclaimed gifts of a creator's plans. */
export async function unclaimedGiftsOfSeller(
  ctx: Context,
  { creatorId, limit }: { creatorId: string; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: gifts.id })
    .from(gifts)
    .where(and(eq(gifts.creatorId, creatorId), isWaiting))
    .orderBy(asc(gifts.id))
    .limit(limit);
  return rows.map((row) => row.id);
}
