import { and, asc, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { PrefetchableKey } from "#app/domain/payouts/key-owners/rules/key-prefetch.ts";
import type { Instant } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { ledgerAccounts } from "#drizzle/schema/ledger.ts";
import { payoutHolds, pixKeyOwners, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { isAnswerForCurrentKey } from "./key-owners.server.ts";

/** They have money that is available or pending. */
const hasMoney = sql`EXISTS (SELECT 1 FROM ${ledgerAccounts} WHERE ${ledgerAccounts.id} IN ('creator_available:' || ${withdrawalMethods.creatorId}, 'creator_pending:' || ${withdrawalMethods.creatorId}) AND ${ledgerAccounts.balanceCents} < 0)`;
const isFree = sql`NOT EXISTS (SELECT 1 FROM ${people} WHERE ${people.id} = ${withdrawalMethods.creatorId} AND ${people.bannedAt} IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM ${payoutHolds} WHERE ${payoutHolds.creatorId} = ${withdrawalMethods.creatorId} AND ${payoutHolds.endedAt} IS NULL)`;
const isApproved = sql`EXISTS (SELECT 1 FROM ${documents} WHERE ${documents.personId} = ${withdrawalMethods.creatorId} AND ${documents.status} = 'approved')`;

/**
 * Lists at most `limit` keys that are due for a prefetch, oldest first. A creator with money,
 * approved documents and no hold is about to be paid.
 */
export async function keysToPrefetch(
  ctx: Context,
  { now, limit }: { now: Instant; limit: number },
): Promise<PrefetchableKey[]> {
  const rows = await ctx.db
    .select({
      creatorId: withdrawalMethods.creatorId,
      answeredFor: pixKeyOwners.creatorId,
      isDue: sql<number>`${hasMoney} AND ${isFree} AND ${isApproved}`,
    })
    .from(withdrawalMethods)
    .leftJoin(pixKeyOwners, isAnswerForCurrentKey)
    .where(
      and(
        sql`${withdrawalMethods.askOwnerAt} IS NOT NULL`,
        sql`${withdrawalMethods.askOwnerAt} <= ${now}`,
      ),
    )
    .orderBy(asc(withdrawalMethods.askOwnerAt), asc(withdrawalMethods.creatorId))
    .limit(limit);
  return rows.map(({ creatorId, answeredFor, isDue }) => ({
    creatorId,
    isLookedUp: answeredFor !== null,
    isDue: isDue === 1,
  }));
}
