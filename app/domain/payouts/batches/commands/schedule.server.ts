import { eq, getTableColumns, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { payoutBatches, payouts, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { payoutProviderFor } from "#app/domain/payments/providers/rules/providers.ts";
import { NoWithdrawalMethod } from "#app/domain/payouts/errors.ts";
import { recentBatches, batchOfDay } from "#app/domain/payouts/batches/queries/batches.server.ts";
import { creatorsDueForPayout } from "#app/domain/payouts/batches/queries/due.server.ts";
import type { ScheduledPayoutCreator } from "#app/domain/payouts/batches/queries/due.server.ts";
import { transferCapabilityFor } from "#app/domain/payouts/destinations/rules/destinations.ts";
import { isBatchDue, scheduledDays } from "#app/domain/payouts/batches/rules/schedules.ts";
import type { ScheduledDay } from "#app/domain/payouts/batches/rules/schedules.ts";
import type { PayoutSchedule } from "#app/domain/payouts/schema.ts";

/**
 * Changes when payouts are requested automatically: never, on Mondays, or on the first of the
 * month. Refuses NoWithdrawalMethod.
 */
export async function changeSchedule(
  ctx: Context,
  { creatorId, schedule }: { creatorId: string; schedule: PayoutSchedule },
): Promise<void> {
  try {
    // `updatedAt` belongs to the key. A new schedule does not change it.
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(withdrawalMethods)
          .set({ schedule })
          .where(eq(withdrawalMethods.creatorId, creatorId)),
      ),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new NoWithdrawalMethod() : error;
  }
}

/**
 * Each page takes two calls to D1, and one queue call for each hundred payouts. One cron run
 * handles 100,000 creators.
 */
const CREATORS_PER_PAGE = 1_000;
const PAGES_PER_RUN = 110;

/**
 * Opens the payouts that schedules request, one page of creators at a time.
 *
 * Stops when the run has no room left; the next run continues. Returns how many payouts it opened.
 * It is safe to run twice and to kill: each page is one commit, and a creator has one open payout.
 * A creator with a payout requested on or after the batch's day gets no other.
 *
 * INVARIANT: it opens only what `requestPayout` would open for the creator, or would open once the
 * wait after a key change is over. The claim catches later changes. Source: domain rules,
 * "Payouts"; docs/decisions/platform/share-the-d1-calls-of-one-invocation.md.
 */
export async function requestScheduledPayouts(
  ctx: Context,
  hasRoom: () => boolean = () => true,
): Promise<number> {
  const now = ctx.now();
  const days = scheduledDays(now);
  if (days.length === 0) return 0;
  const batches = await recentBatches(ctx);
  let opened = 0;
  for (const day of days.filter((one) => isBatchDue(one, batches, now)))
    opened += await passOver(ctx, day, hasRoom);
  return opened;
}

async function passOver(
  ctx: Context,
  { day, startsAt, schedules }: ScheduledDay,
  hasRoom: () => boolean,
): Promise<number> {
  const now = ctx.now();
  const { batchId, cursor } = await startedBatch(ctx, day);
  let after = cursor ?? "";
  let opened = 0;
  for (let page = 0; page < PAGES_PER_RUN && hasRoom(); page += 1) {
    const due = await creatorsDueForPayout(ctx, {
      afterCreatorId: after,
      schedules,
      now,
      since: startsAt,
      limit: CREATORS_PER_PAGE,
    });
    const asked = payable(ctx, due);
    const isOver = due.length < CREATORS_PER_PAGE;
    after = due.at(-1)?.creatorId ?? after;
    await commit(ctx.db, [
      openedStatement(ctx, batchId, asked),
      ctx.db
        .update(payoutBatches)
        .set(isOver ? { cursor: null, finishedAt: now } : { cursor: after, finishedAt: null })
        .where(eq(payoutBatches.id, batchId)),
    ]);
    await ctx.queues.payouts.sendAll(
      asked.map(({ id }) => ({ version: 1, type: "payout.claim", id })),
    );
    opened += asked.length;
    if (isOver) break;
  }
  return opened;
}

type ScheduledPayout = ScheduledPayoutCreator & { id: string; provider: string };

/** Keeps the creators whose destination a configured provider can send to. */
function payable(ctx: Context, due: readonly ScheduledPayoutCreator[]): ScheduledPayout[] {
  const asked = due.flatMap((one) => {
    const provider = payoutProviderFor(ctx.payments, transferCapabilityFor(one.pixKeyKind));
    return provider ? [{ ...one, id: ctx.newId(), provider: provider.name }] : [];
  });
  if (asked.length < due.length)
    ctx.log("payouts.not_opened", { count: due.length - asked.length, error: "NobodyPaysOut" });
  return asked;
}

/**
 * Inserts the payouts of a page, as `requestPayout` writes each. A creator who requested one
 * meanwhile keeps theirs. Claiming a payout that was not written does nothing.
 */
function openedStatement(
  ctx: Context,
  batchId: string,
  asked: readonly ScheduledPayout[],
): BatchWrite {
  const rows = JSON.stringify(
    asked.map(({ id, creatorId, pixKeyKind, pixKey, provider }) => [
      id,
      creatorId,
      pixKeyKind,
      pixKey,
      provider,
    ]),
  );
  const written: Partial<Record<string, SQL>> = {
    id: sql`value ->> 0`,
    creatorId: sql`value ->> 1`,
    batchId: sql`${batchId}`,
    amountCents: sql`0`,
    status: sql`'requested'`,
    pixKeyKind: sql`value ->> 2`,
    pixKey: sql`value ->> 3`,
    provider: sql`value ->> 4`,
    requestedAt: sql`${ctx.now()}`,
  } satisfies Partial<Record<keyof typeof payouts.$inferInsert, SQL>>;
  const columns = Object.keys(getTableColumns(payouts)).map((name) => written[name] ?? sql`NULL`);
  return ctx.db
    .insert(payouts)
    .select(sql`SELECT ${sql.join(columns, sql`, `)} FROM json_each(${rows}) WHERE true`)
    .onConflictDoNothing();
}

/**
 * Loads the batch of `day`, and creates it if it does not exist. A finished batch starts another
 * pass.
 */
async function startedBatch(
  ctx: Context,
  day: string,
): Promise<{ batchId: string; cursor: string | null }> {
  await commit(ctx.db, [
    ctx.db
      .insert(payoutBatches)
      .values({ id: ctx.newId(), day, startedAt: ctx.now() })
      .onConflictDoNothing(),
  ]);
  const batch = await batchOfDay(ctx, { day });
  if (!batch) throw new Error(`no batch of ${day}`);
  return { batchId: batch.id, cursor: batch.cursor };
}
