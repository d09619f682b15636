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
 * When payouts are asked for without being asked: never, on Mondays, or on the first of the month.
 * Refuses NoWithdrawalMethod.
 */
export async function changeSchedule(
  ctx: Context,
  { creatorId, schedule }: { creatorId: string; schedule: PayoutSchedule },
): Promise<void> {
  try {
    // `updatedAt` is the key's own moment, which a schedule does not move.
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
 * Two calls to D1 each, and one to the queue for a hundred of them: 100,000 creators are one run of
 * the cron.
 */
const CREATORS_PER_PAGE = 1_000;
const PAGES_PER_RUN = 110;

/**
 * Opens the payouts that schedules ask for, a page of creators at a time while there is room in the
 * run, and goes on at the next run where this one stops. Safe to run twice and to be killed: a page
 * is one commit, the open payout of a creator is unique, and whoever was paid on or after the
 * batch's day is not asked again. Gives how many it asked for.
 *
 * Invariant: what may be opened is what `requestPayout` would open for its creator, or would once
 * their wait after a change of key is over; what changes before the claim, the claim finds. Source:
 * domain rules, "Payouts"; docs/decisions/platform/share-the-d1-calls-of-one-invocation.md.
 */
export async function requestScheduledPayouts(
  ctx: Context,
  hasRoom: () => boolean = () => true,
): Promise<number> {
  const now = ctx.now();
  const days = scheduledDays(now);
  if (days.length === 0) return 0;
  const known = await recentBatches(ctx);
  let opened = 0;
  for (const day of days.filter((one) => isBatchDue(one, known, now)))
    opened += await passOver(ctx, day, hasRoom);
  return opened;
}

async function passOver(
  ctx: Context,
  { day, startsAt, schedules }: ScheduledDay,
  hasRoom: () => boolean,
): Promise<number> {
  const now = ctx.now();
  const { batchId, cursor } = await begun(ctx, day);
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

/** Those for whom there is a provider that sends money to such a place. */
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
 * The payouts of a page, as `requestPayout` writes each. Who asked for theirs meanwhile keeps it; a
 * claim of one that was not written is nothing.
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

/** The batch of `day`, made by whoever comes first; one that was finished begins another pass. */
async function begun(
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
