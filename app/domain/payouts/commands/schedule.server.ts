import { eq } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { payoutBatches, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { NoWithdrawalMethod } from "#app/domain/payouts/errors.ts";
import { creatorsToPayOut } from "#app/domain/payouts/queries.server.ts";
import { batchesKnown, batchOn } from "#app/domain/payouts/queries/batches.server.ts";
import { isToRun, scheduledDays } from "#app/domain/payouts/rules/schedules.ts";
import type { ScheduledDay } from "#app/domain/payouts/rules/schedules.ts";
import type { PayoutSchedule } from "#app/domain/payouts/schema.ts";

/** When payouts are asked for without being asked: never, on Mondays, or on the first of the month. Refuses NoWithdrawalMethod. */
export async function changeSchedule(ctx: Context, { creatorId, schedule }: { creatorId: string; schedule: PayoutSchedule }): Promise<void> {
  try {
    // `updatedAt` is the key's own moment, which a schedule does not move.
    await commit(ctx.db, [exactlyOne(ctx.db.update(withdrawalMethods).set({ schedule }).where(eq(withdrawalMethods.creatorId, creatorId)))]);
  } catch (error) {
    throw error instanceof StaleWrite ? new NoWithdrawalMethod() : error;
  }
}

const CREATORS_PER_PAGE = 50;
const PAGES_PER_RUN = 200;

/**
 * Opens the payouts that schedules ask for, a page of creators at a time while there is room in the run, and goes on at the next run where this one stops. Safe to run twice and to be
 * killed: the open payout of a creator is unique, and whoever was paid on or after the batch's day is not asked again. Gives how many it opened.
 */
export async function requestScheduledPayouts(ctx: Context, hasRoom: () => boolean = () => true): Promise<number> {
  const now = ctx.now();
  const days = scheduledDays(now);
  if (days.length === 0) return 0;
  const known = await batchesKnown(ctx);
  let opened = 0;
  for (const day of days.filter((one) => isToRun(one, known, now))) opened += await passOver(ctx, day, hasRoom);
  return opened;
}

async function passOver(ctx: Context, { day, startsAt, schedules }: ScheduledDay, hasRoom: () => boolean): Promise<number> {
  const now = ctx.now();
  const { batchId, cursor } = await begun(ctx, day);
  let after = cursor ?? "";
  let opened = 0;
  for (let page = 0; page < PAGES_PER_RUN && hasRoom(); page += 1) {
    const due = await creatorsToPayOut(ctx, { afterCreatorId: after, schedules, now, since: startsAt, limit: CREATORS_PER_PAGE });
    let asked = 0;
    for (const creatorId of due) {
      if (!hasRoom()) break;
      if (await requestedQuietly(ctx, { creatorId, batchId })) opened += 1;
      asked += 1;
    }
    const isOver = asked === due.length && due.length < CREATORS_PER_PAGE;
    const last = due[asked - 1] ?? after;
    await commit(ctx.db, [ctx.db.update(payoutBatches).set(isOver ? { cursor: null, finishedAt: now } : { cursor: last, finishedAt: null }).where(eq(payoutBatches.id, batchId))]);
    if (isOver) break;
    after = last;
  }
  return opened;
}

/** The batch of `day`, made by whoever comes first; one that was finished begins another pass. */
async function begun(ctx: Context, day: string): Promise<{ batchId: string; cursor: string | null }> {
  await commit(ctx.db, [ctx.db.insert(payoutBatches).values({ id: ctx.newId(), day, startedAt: ctx.now() }).onConflictDoNothing()]);
  const batch = await batchOn(ctx, { day });
  if (!batch) throw new Error(`no batch of ${day}`);
  return { batchId: batch.id, cursor: batch.cursor };
}

async function requestedQuietly(ctx: Context, asked: { creatorId: string; batchId: string }): Promise<boolean> {
  try {
    await requestPayout(ctx, asked);
    return true;
  } catch (error) {
    ctx.log("payouts.not_opened", { creatorId: asked.creatorId, error: error instanceof Error ? error.name : "unknown" });
    return false;
  }
}
