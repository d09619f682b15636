import type { Context } from "#app/domain/context.ts";
import { DocumentModeratorRequired } from "#app/domain/documents/errors.ts";
import { isModerator } from "#app/domain/documents/queries.server.ts";
import { Refusal } from "#app/domain/errors.ts";
import {
  cancelPayoutByStaff,
  retryPayout,
} from "#app/domain/payouts/staff-review/commands/staff-review.server.ts";
import { BatchNotFound } from "#app/domain/payouts/errors.ts";
import {
  batchOfDay,
  batchPayoutsToAct,
  isPayoutRerequested,
} from "#app/domain/payouts/batches/queries/batches.server.ts";

/**
 * Payouts in one request. Each is its own commit and makes at most six calls to the database. One
 * invocation may make a thousand.
 */
const AT_ONCE = 100;

type BatchActionRequest = {
  day: string;
  moderatorId: string;
  /** The last payout of the previous page; empty for the first page. */ after?: string;
  limit?: number;
};

/**
 * `doneCount`: payouts changed. `leftCount`: payouts that refused, because they moved meanwhile,
 * have too little left or are held. `next`: where the next page starts; null at the end.
 */
export type BatchOutcome = { doneCount: number; leftCount: number; next: string | null };

/**
 * Requests new payouts for one page of a batch's failed and returned payouts.
 *
 * Uses `retryPayout` for each, which records the moderator. Skips a payout whose creator requested
 * another one later. A second run makes no second payout: a creator has one open payout. Refuses
 * DocumentModeratorRequired, BatchNotFound.
 */
export async function retryBatch(ctx: Context, at: BatchActionRequest): Promise<BatchOutcome> {
  return await eachOf(ctx, "retry", at, async (payoutId) => {
    if (await isPayoutRerequested(ctx, { payoutId })) return false;
    await retryPayout(ctx, { payoutId, moderatorId: at.moderatorId });
    return true;
  });
}

/**
 * Cancels one page of a batch's payouts that were not sent yet.
 *
 * Uses `cancelPayoutByStaff` for each, which records the moderator and notifies the creator. Each
 * creator reads `reason`. Payouts sent meanwhile continue. Refuses DocumentModeratorRequired,
 * BatchNotFound.
 */
export async function cancelBatch(
  ctx: Context,
  { reason, ...at }: BatchActionRequest & { reason: string },
): Promise<BatchOutcome> {
  return await eachOf(ctx, "cancel", at, async (payoutId) => {
    await cancelPayoutByStaff(ctx, { payoutId, moderatorId: at.moderatorId, reason });
    return true;
  });
}

/**
 * Runs `does` on each payout of a page. A refusal does not stop the others; the payout's own page
 * shows why.
 */
async function eachOf(
  ctx: Context,
  act: "retry" | "cancel",
  { day, moderatorId, after = "", limit = AT_ONCE }: BatchActionRequest,
  does: (payoutId: string) => Promise<boolean>,
): Promise<BatchOutcome> {
  if (!(await isModerator(ctx, { personId: moderatorId }))) throw new DocumentModeratorRequired();
  const batch = await batchOfDay(ctx, { day });
  if (!batch) throw new BatchNotFound();
  const found = await batchPayoutsToAct(ctx, { batchId: batch.id, act, after, limit: limit + 1 });
  const payoutIds = found.slice(0, limit);
  let doneCount = 0;
  for (const payoutId of payoutIds) {
    try {
      if (await does(payoutId)) doneCount += 1;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      ctx.log("payouts.batch_left", { payoutId, act, refusal: error.name });
    }
  }
  return {
    doneCount,
    leftCount: payoutIds.length - doneCount,
    next: found.length > limit ? (payoutIds.at(-1) ?? null) : null,
  };
}
