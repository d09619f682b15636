import { and, asc, eq, isNotNull, isNull, lte, not, or, sql } from "drizzle-orm";
import type { SQL, SQLWrapper } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { PROVIDER_ACCEPTANCE_MS } from "#app/domain/payouts/holds/rules/holds.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { payoutHolds, payouts } from "#drizzle/schema/payouts.ts";

/**
 * In a statement: nobody holds the payouts of a creator, who is not banned and whose papers are
 * approved. The rule is `isSendingBlocked`.
 */
export const canStillBeSent = ({
  creatorId,
}: {
  creatorId: string | SQLWrapper;
}): SQL => sql`(EXISTS (SELECT 1 FROM ${documents} WHERE ${documents.personId} = ${creatorId} AND ${documents.status} = 'approved')
  AND NOT EXISTS (SELECT 1 FROM ${payoutHolds} WHERE ${payoutHolds.creatorId} = ${creatorId} AND ${payoutHolds.endedAt} IS NULL)
  AND NOT EXISTS (SELECT 1 FROM ${people} WHERE ${people.id} = ${creatorId} AND ${people.bannedAt} IS NOT NULL))`;

/**
 * Claimed payouts that wait for something and may not leave any more: nobody waits with them for
 * the banks or for balance. Those that wait for nothing have their turn anyway.
 */
export async function claimedPayoutsToCancel(
  ctx: Context,
  { now, limit }: { now: number; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: payouts.id })
    .from(payouts)
    .where(
      and(
        isNotNull(payouts.waitsFor),
        eq(payouts.status, "claimed"),
        or(isNull(payouts.sendAskedAt), lte(payouts.sendAskedAt, now - PROVIDER_ACCEPTANCE_MS)),
        not(canStillBeSent(payouts)),
        isRetryDue(ctx, payouts.id),
      ),
    )
    .orderBy(asc(payouts.requestedAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}
