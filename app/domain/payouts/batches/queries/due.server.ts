import { and, asc, eq, gt, inArray, isNull, lt, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { DOCUMENTS_RESUBMIT_MS } from "#app/domain/payouts/holds/rules/holds.ts";
import { KEY_LOOKUP_REPEAT_MS } from "#app/domain/payouts/key-owners/rules/key-owners.ts";
import type { Payout, PayoutSchedule, PayoutStatus } from "#app/domain/payouts/schema.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { ledgerAccounts } from "#drizzle/schema/ledger.ts";
import { payoutHolds, payouts, pixKeyOwners, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { reachesMinimumPayout } from "./available.server.ts";
import { isAnswerForCurrentKey } from "#app/domain/payouts/key-owners/queries/key-owners.server.ts";

type DueCreatorsRequest = {
  afterCreatorId: string;
  schedules: PayoutSchedule[];
  now: Instant;
  since: Instant;
  limit: number;
};

/** A creator with a scheduled payout, and the destination of their money. */
export type ScheduledPayoutCreator = Pick<Payout, "creatorId" | "pixKeyKind" | "pixKey">;

/**
 * Lists the creators on one of `schedules` who are due for a payout, paged by id.
 *
 * They have enough available, an approved identity and no payout since `since`. They are not
 * banned, held or deleting their account. A creator who just changed their key is included: the
 * claim holds the payout until the wait is over, so that they do not miss their day. The `+` makes
 * SQLite walk the schedule in order, instead of starting with everybody whose documents are
 * approved.
 */
export async function creatorsDueForPayout(
  ctx: Context,
  { afterCreatorId, schedules, now, since, limit }: DueCreatorsRequest,
): Promise<ScheduledPayoutCreator[]> {
  return await ctx.db
    .select({
      creatorId: withdrawalMethods.creatorId,
      pixKeyKind: withdrawalMethods.pixKeyKind,
      pixKey: withdrawalMethods.pixKey,
    })
    .from(withdrawalMethods)
    .innerJoin(
      ledgerAccounts,
      and(
        eq(ledgerAccounts.id, sql`'creator_available:' || ${withdrawalMethods.creatorId}`),
        reachesMinimumPayout(withdrawalMethods.creatorId, now),
      ),
    )
    .innerJoin(
      documents,
      and(
        eq(documents.personId, withdrawalMethods.creatorId),
        sql`+${documents.status} = 'approved'`,
      ),
    )
    .innerJoin(
      people,
      and(
        eq(people.id, withdrawalMethods.creatorId),
        isNull(people.bannedAt),
        isNull(people.leavingAt),
      ),
    )
    .where(
      and(
        gt(withdrawalMethods.creatorId, afterCreatorId),
        inArray(withdrawalMethods.schedule, schedules),
        sql`NOT EXISTS (SELECT 1 FROM ${payouts} WHERE ${payouts.creatorId} = ${withdrawalMethods.creatorId}
          AND (${payouts.requestedAt} >= ${since} OR ${payouts.status} IN ('requested', 'held', 'claimed', 'sent')))`,
        sql`NOT EXISTS (SELECT 1 FROM ${payoutHolds} WHERE ${payoutHolds.creatorId} = ${withdrawalMethods.creatorId} AND ${payoutHolds.endedAt} IS NULL)`,
      ),
    )
    .orderBy(asc(withdrawalMethods.creatorId))
    .limit(limit);
}

/**
 * Lists the held payouts whose reason is over, oldest first.
 *
 * The wait ended, documents were approved, a moderator released or approved it, or the amount is
 * within the limit again. It also lists approved payouts whose destination changed, and payouts
 * that end (`payoutEnd`).
 */
export async function resumableHeldPayouts(
  ctx: Context,
  { now, limit }: { now: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: payouts.id })
    .from(payouts)
    .where(
      and(
        eq(payouts.status, "held"),
        sql`(CASE ${payouts.heldReason}
          WHEN 'changed_method' THEN ${payouts.heldUntil} <= ${now}
          WHEN 'documents' THEN EXISTS (SELECT 1 FROM ${documents} WHERE ${documents.personId} = ${payouts.creatorId} AND (${documents.status} = 'approved' OR (${documents.status} = 'rejected' AND ${documents.decidedAt} <= ${now - DOCUMENTS_RESUBMIT_MS})))
          WHEN 'moderation' THEN NOT EXISTS (SELECT 1 FROM ${payoutHolds} WHERE ${payoutHolds.creatorId} = ${payouts.creatorId} AND ${payoutHolds.endedAt} IS NULL)
          WHEN 'owner_differs' THEN NOT EXISTS (SELECT 1 FROM ${pixKeyOwners} JOIN ${withdrawalMethods} ON ${isAnswerForCurrentKey} WHERE ${pixKeyOwners.creatorId} = ${payouts.creatorId} AND ${pixKeyOwners.askedAt} > ${now - KEY_LOOKUP_REPEAT_MS}
            AND ${pixKeyOwners.pixKeyKind} = ${payouts.pixKeyKind} AND ${pixKeyOwners.pixKey} = ${payouts.pixKey})
          WHEN 'approval' THEN ${payouts.approvedCents} IS NOT NULL
            OR NOT EXISTS (SELECT 1 FROM ${withdrawalMethods} WHERE ${withdrawalMethods.creatorId} = ${payouts.creatorId} AND ${withdrawalMethods.pixKeyKind} = ${payouts.pixKeyKind} AND ${withdrawalMethods.pixKey} = ${payouts.pixKey})
            OR EXISTS (SELECT 1 FROM ${ledgerAccounts} WHERE ${ledgerAccounts.id} = 'creator_available:' || ${payouts.creatorId} AND -${ledgerAccounts.balanceCents} <= ${ctx.settings.payoutApprovalCents})
        END OR EXISTS (SELECT 1 FROM ${people} WHERE ${people.id} = ${payouts.creatorId} AND ${people.bannedAt} IS NOT NULL)
          OR EXISTS (SELECT 1 FROM ${documents} WHERE ${documents.personId} = ${payouts.creatorId} AND ${documents.status} = 'rejected' AND ${documents.rejectionCode} = 'underage'))`,
        isRetryDue(ctx, payouts.id),
      ),
    )
    .orderBy(payouts.requestedAt)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * SQL condition: a claimed payout that waits for bank hours may have left before they closed, with
 * its answer lost. The provider is asked about it every hour.
 */
const mayBeThere = (ctx: Context) =>
  sql`(${payouts.status} = 'claimed' AND ${payouts.waitsFor} = 'business_day' AND ${payouts.askedAt} <= ${ctx.now() - HOUR_MS})`;

/**
 * Lists the payouts in `statuses` that were not touched since `before` and wait for nothing more,
 * oldest first. Payouts that wait for balance or for the key owner have their own lists
 * (`payoutsWithBalance`, `payoutsWaitingForKeyOwner`).
 */
export async function stalePayouts(
  ctx: Context,
  { statuses, before, limit }: { statuses: PayoutStatus[]; before: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: payouts.id })
    .from(payouts)
    .where(
      and(
        inArray(payouts.status, statuses),
        lt(sql`COALESCE(${payouts.askedAt}, ${payouts.requestedAt})`, before),
        sql`(${payouts.waitsUntil} IS NULL OR (${payouts.waitsFor} NOT IN ('balance', 'key_owner') AND ${payouts.waitsUntil} <= ${ctx.now()}) OR ${mayBeThere(ctx)})`,
        isRetryDue(ctx, payouts.id),
      ),
    )
    .orderBy(payouts.requestedAt)
    .limit(limit);
  return rows.map((row) => row.id);
}
