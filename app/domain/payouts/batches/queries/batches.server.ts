import { and, asc, desc, eq, gt, inArray, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { payoutBatches, payouts } from "#drizzle/schema/payouts.ts";
import type { BatchGroup } from "#app/domain/payouts/staff-review/rules.ts";
import type { BatchRunState } from "#app/domain/payouts/batches/rules/schedules.ts";
import type { HeldReason, Payout, PayoutStatus } from "#app/domain/payouts/schema.ts";
import { toPayout } from "#app/domain/payouts/queries.server.ts";
import { ledgerAccounts } from "#drizzle/schema/ledger.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** More batches than the schedules of a week make. */
const BATCHES_SHOWN = 8;

/** Loads the newest batches, to decide whether one is due. */
export function recentBatches(ctx: Context): Promise<BatchRunState[]> {
  return ctx.db
    .select({ day: payoutBatches.day, finishedAt: payoutBatches.finishedAt })
    .from(payoutBatches)
    .orderBy(desc(payoutBatches.day))
    .limit(BATCHES_SHOWN);
}

/** Loads the batch of a day, such as "2026-11-23". */
export async function batchOfDay(
  ctx: Context,
  { day }: { day: string },
): Promise<typeof payoutBatches.$inferSelect | null> {
  const [row] = await ctx.db
    .select()
    .from(payoutBatches)
    .where(eq(payoutBatches.day, day))
    .limit(1);
  return row ?? null;
}

export type BatchView = {
  day: string;
  startedAt: number;
  finishedAt: number | null;
  /** How many of its payouts have each status, and their sum in centavos. */
  parts: { status: PayoutStatus; count: number; cents: Cents }[];
};

/**
 * Lists the batches, newest first, before `beforeDay` if it is given. `next` is the day where the
 * next page starts.
 */
export async function payoutBatchList(
  ctx: Context,
  { beforeDay, limit }: { beforeDay: string | null; limit: number },
): Promise<{ items: BatchView[]; next: string | null }> {
  const found = await ctx.db
    .select()
    .from(payoutBatches)
    .where(beforeDay === null ? undefined : sql`${payoutBatches.day} < ${beforeDay}`)
    .orderBy(desc(payoutBatches.day))
    .limit(limit + 1);
  const shown = found.slice(0, limit);
  const parts = await ctx.db
    .select({
      batchId: payouts.batchId,
      status: payouts.status,
      count: sql<number>`COUNT(*)`,
      cents: sql<Cents>`SUM(${payouts.amountCents})`,
    })
    .from(payouts)
    .where(
      inArray(
        payouts.batchId,
        shown.map(({ id }) => id),
      ),
    )
    .groupBy(payouts.batchId, payouts.status);
  const items = shown.map(({ id, day, startedAt, finishedAt }) => ({
    day,
    startedAt,
    finishedAt,
    parts: parts
      .filter(({ batchId }) => batchId === id)
      .map(({ status, count, cents }) => ({ status: status as PayoutStatus, count, cents })),
  }));
  return { items, next: found.length > limit ? (shown.at(-1)?.day ?? null) : null };
}

export type BatchPayoutRow = {
  payout: Payout;
  name: string | null;
  username: string | null;
  /** What a payout would send now. */ availableCents: Cents;
  /** The payout that the same creator requested after it. */ againId: string | null;
};

/**
 * The next payout of the same creator, whatever its status. A payout with a next one needs no
 * retry.
 */
const AGAIN = sql<
  string | null
>`(SELECT later.id FROM payouts later WHERE later.creator_id = payouts.creator_id AND (later.requested_at, later.id) > (payouts.requested_at, payouts.id) ORDER BY later.requested_at, later.id LIMIT 1)`;

/** Counts the payouts of a batch by status, with their sum (centavos). */
export async function batchParts(
  ctx: Context,
  { batchId }: { batchId: string },
): Promise<BatchGroup[]> {
  const rows = await ctx.db
    .select({
      status: payouts.status,
      heldReason:
        sql<HeldReason | null>`CASE ${payouts.status} WHEN 'held' THEN ${payouts.heldReason} END`.as(
          "why",
        ),
      openCount:
        sql<number>`SUM(CASE ${payouts.status} WHEN 'held' THEN ${payouts.approvedCents} IS NULL WHEN 'failed' THEN ${AGAIN} IS NULL WHEN 'returned' THEN ${AGAIN} IS NULL ELSE 0 END)`.as(
          "open_count",
        ),
      count: sql<number>`COUNT(*)`.as("payouts_count"),
      cents: sql<Cents>`SUM(${payouts.amountCents})`.as("cents"),
    })
    .from(payouts)
    .where(eq(payouts.batchId, batchId))
    .groupBy(payouts.status, sql`2`);
  return rows.map((row) => ({ ...row, status: row.status as PayoutStatus }));
}

type BatchStateRequest = {
  batchId: string;
  status: PayoutStatus;
  /** Only held payouts with this reason; null for all. */ heldReason: HeldReason | null;
  after: string;
  limit: number;
};

/** Lists the payouts of a batch in one status, ordered by id, after `after`. */
export async function batchPayouts(
  ctx: Context,
  { batchId, status, heldReason, after, limit }: BatchStateRequest,
): Promise<{ items: BatchPayoutRow[]; next: string | null }> {
  const rows = await ctx.db
    .select({
      payout: payouts,
      name: profiles.name,
      username: profiles.username,
      availableCents: sql<Cents>`COALESCE(-${ledgerAccounts.balanceCents}, 0)`,
      againId: AGAIN.as("again_id"),
    })
    .from(payouts)
    .leftJoin(profiles, eq(profiles.personId, payouts.creatorId))
    .leftJoin(
      ledgerAccounts,
      eq(ledgerAccounts.id, sql`'creator_available:' || ${payouts.creatorId}`),
    )
    .where(
      and(
        eq(payouts.batchId, batchId),
        eq(payouts.status, status),
        gt(payouts.id, after),
        heldReason === null ? undefined : eq(payouts.heldReason, heldReason),
      ),
    )
    .orderBy(asc(payouts.id))
    .limit(limit + 1);
  const items = rows.slice(0, limit).map((row) => ({ ...row, payout: toPayout(row.payout) }));
  return { items, next: rows.length > limit ? (items.at(-1)?.payout.id ?? null) : null };
}

/**
 * Lists the ids of the payouts that an action applies to, in order, after `after`.
 *
 * `cancel`: payouts that were not sent. `retry`: failed or returned payouts whose creator has no
 * later payout.
 */
export async function batchPayoutsToAct(
  ctx: Context,
  {
    batchId,
    act,
    after,
    limit,
  }: { batchId: string; act: "retry" | "cancel"; after: string; limit: number },
): Promise<string[]> {
  const statuses: PayoutStatus[] =
    act === "cancel" ? ["requested", "held"] : ["failed", "returned"];
  const rows = await ctx.db
    .select({ id: payouts.id })
    .from(payouts)
    .where(
      and(
        eq(payouts.batchId, batchId),
        inArray(payouts.status, statuses),
        gt(payouts.id, after),
        act === "retry" ? sql`${AGAIN} IS NULL` : undefined,
      ),
    )
    .orderBy(asc(payouts.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Whether the same creator requested a payout after this one. */
export async function isPayoutRerequested(
  ctx: Context,
  { payoutId }: { payoutId: string },
): Promise<boolean> {
  const [row] = await ctx.db
    .select({ againId: AGAIN.as("again_id") })
    .from(payouts)
    .where(eq(payouts.id, payoutId))
    .limit(1);
  return row?.againId !== null;
}
