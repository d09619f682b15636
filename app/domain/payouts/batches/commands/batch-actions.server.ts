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
 * What one request does: each is a commit of its own, of six calls to the database at most, where
 * one invocation has a thousand.
 */
const AT_ONCE = 100;

type BatchActionRequest = {
  day: string;
  moderatorId: string;
  /** The last payout that the page before tried; empty at the beginning. */ after?: string;
  limit?: number;
};

/**
 * How many were done, how many could not be (moved meanwhile, too little left, held), and where to
 * go on; null at the end.
 */
export type BatchOutcome = { doneCount: number; leftCount: number; next: string | null };

/**
 * Asks again for what failed or came back of a batch and that nobody asked for since, one page of
 * it: each by `retryPayout`, with its line of who did it. Twice makes one payout each: a person has
 * one open payout, and one that came after is seen. Refuses NotAModerator, BatchNotFound.
 */
export async function retryBatch(ctx: Context, at: BatchActionRequest): Promise<BatchOutcome> {
  return await eachOf(ctx, "retry", at, async (payoutId) => {
    if (await isPayoutRerequested(ctx, { payoutId })) return false;
    await retryPayout(ctx, { payoutId, moderatorId: at.moderatorId });
    return true;
  });
}

/**
 * Takes back what did not leave of a batch, one page of it: each by `cancelPayoutByStaff`, with its
 * line and its letter; `reason` is what each person reads. What left meanwhile goes on. Refuses
 * NotAModerator, BatchNotFound.
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

/** One that refuses stops no other: why is on its own page. */
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
