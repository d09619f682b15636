import { and, asc, eq, isNotNull, isNull, lte, not, or, sql } from "drizzle-orm";
import type { SQL, SQLWrapper } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { PROVIDER_ACCEPTANCE_MS } from "#app/domain/payouts/holds/rules/holds.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { payoutHolds, payouts } from "#drizzle/schema/payouts.ts";

/**
 * SQL condition: nobody holds the creator's payouts, the creator is not banned, and their documents
 * are approved. The rule is `isSendingBlocked`.
 */
export const canStillBeSent = ({
  creatorId,
}: {
  creatorId: string | SQLWrapper;
}): SQL => sql`(EXISTS (SELECT 1 FROM ${documents} WHERE ${documents.personId} = ${creatorId} AND ${documents.status} = 'approved')
  AND NOT EXISTS (SELECT 1 FROM ${payoutHolds} WHERE ${payoutHolds.creatorId} = ${creatorId} AND ${payoutHolds.endedAt} IS NULL)
  AND NOT EXISTS (SELECT 1 FROM ${people} WHERE ${people.id} = ${creatorId} AND ${people.bannedAt} IS NOT NULL))`;

/**
 * Lists claimed payouts that wait for something and may no longer leave, so that they stop waiting
 * for banks or balance. Payouts that wait for nothing are processed anyway.
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
