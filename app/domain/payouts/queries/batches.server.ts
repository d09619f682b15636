import { desc, eq, inArray, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { payoutBatches, payouts } from "#drizzle/schema/payouts.ts";
import type { KnownBatch } from "#app/domain/payouts/rules/schedules.ts";
import type { PayoutStatus } from "#app/domain/payouts/schema.ts";

/** More than the schedules of a week make. */
const BATCHES_KNOWN = 8;

/** The newest batches, for what decides whether one is to run. */
export function batchesKnown(ctx: Context): Promise<KnownBatch[]> {
  return ctx.db.select({ day: payoutBatches.day, finishedAt: payoutBatches.finishedAt }).from(payoutBatches).orderBy(desc(payoutBatches.day)).limit(BATCHES_KNOWN);
}

/** The batch of a day, "2026-11-23". */
export async function batchOn(ctx: Context, { day }: { day: string }): Promise<typeof payoutBatches.$inferSelect | null> {
  const [row] = await ctx.db.select().from(payoutBatches).where(eq(payoutBatches.day, day)).limit(1);
  return row ?? null;
}

export type BatchView = {
  day: string;
  startedAt: number;
  finishedAt: number | null;
  /** How many payouts of it are where, and what they carry in centavos. */
  parts: { status: PayoutStatus; count: number; cents: Cents }[];
};

/** The batches, newest first, before `beforeDay` where it is given; `next` is the day to go on from. */
export async function payoutBatchList(ctx: Context, { beforeDay, limit }: { beforeDay: string | null; limit: number }): Promise<{ items: BatchView[]; next: string | null }> {
  const found = await ctx.db
    .select()
    .from(payoutBatches)
    .where(beforeDay === null ? undefined : sql`${payoutBatches.day} < ${beforeDay}`)
    .orderBy(desc(payoutBatches.day))
    .limit(limit + 1);
  const shown = found.slice(0, limit);
  const parts = await ctx.db
    .select({ batchId: payouts.batchId, status: payouts.status, count: sql<number>`COUNT(*)`, cents: sql<Cents>`SUM(${payouts.amountCents})` })
    .from(payouts)
    .where(inArray(payouts.batchId, shown.map(({ id }) => id)))
    .groupBy(payouts.batchId, payouts.status);
  const items = shown.map(({ id, day, startedAt, finishedAt }) => ({ day, startedAt, finishedAt, parts: parts.filter(({ batchId }) => batchId === id).map(({ status, count, cents }) => ({ status: status as PayoutStatus, count, cents })) }));
  return { items, next: found.length > limit ? (shown.at(-1)?.day ?? null) : null };
}
