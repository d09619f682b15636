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

/** A creator whose payout a schedule asks for, and where their money goes. */
export type ScheduledPayoutCreator = Pick<Payout, "creatorId" | "pixKeyKind" | "pixKey">;

/**
 * Creators on one of `schedules` who were not banned, are not held and are not leaving, with enough
 * available, an approved identity and no payout since `since`; paged by id. Who changed their key a
 * moment ago is among them: the claim holds what is opened until the wait is over, and their day is
 * not skipped for a week or a month. Those on the schedule are gone through in their order until
 * the page is full: the `+` keeps SQLite from beginning with everybody whose papers are approved,
 * at each page.
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
 * Held payouts whose reason is over, oldest first: the wait ended, papers were approved, a
 * moderator let go or consented, the amount is within the limit again, or goes to another place
 * than who consents sees; and those that end (`payoutEnd`).
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
 * A claimed payout that waits for the banks may have left before they closed, with an answer that
 * was lost: it is asked about by the hour.
 */
const mayBeThere = (ctx: Context) =>
  sql`(${payouts.status} = 'claimed' AND ${payouts.waitsFor} = 'business_day' AND ${payouts.askedAt} <= ${ctx.now() - HOUR_MS})`;

/**
 * Payouts in `status` that nobody touched since `before` and that wait for nothing more, oldest
 * first; those that wait for balance or for the owner of their key have turns of their own
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
