import { and, eq, isNull } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PayoutMessage } from "#app/domain/payouts/schema/outbox.ts";
import { PAID_AFTER_REVERSAL_TEXT } from "#app/domain/payouts/holds/rules/holds.ts";
import type { Payout } from "#app/domain/payouts/schema.ts";
import { payoutHolds } from "#drizzle/schema/payouts.ts";

/** The holder of a payout hold that no staff member decided. */
const PRODUCT = "coreto";

/** Outbox ids of the notifications about a hold: its start and its end. */
export const holdMessageIds = (holdId: string) => ({
  comes: `payout-hold:${holdId}:comes`,
  ends: `payout-hold:${holdId}:ends`,
});

/**
 * Holds every payout of a person, future ones too, with a reason that they read.
 *
 * The index `payout_holds_one` refuses it where they are already held. INVARIANT: the person is
 * notified once in the batch that holds them, and once when the hold ends. It does not matter
 * whether they requested a payout.
 */
export function holdStatements(
  ctx: Context,
  {
    holdId,
    creatorId,
    reason,
    heldBy,
  }: { holdId: string; creatorId: string; reason: string; heldBy: string },
): BatchWrite[] {
  return [
    ctx.db.insert(payoutHolds).values({ id: holdId, creatorId, reason, heldBy, heldAt: ctx.now() }),
    announce<PayoutMessage>(ctx, holdMessageIds(holdId).comes, {
      type: "payouts.held",
      creatorId,
      reason,
    }),
  ];
}

/** Ends a hold that is still open, and notifies the person. */
export function holdReleasedStatements(
  ctx: Context,
  { holdId, creatorId, endedBy }: { holdId: string; creatorId: string; endedBy: string },
): BatchWrite[] {
  return [
    mustChangeOne(
      ctx.db
        .update(payoutHolds)
        .set({ endedBy, endedAt: ctx.now() })
        .where(and(eq(payoutHolds.id, holdId), isNull(payoutHolds.endedAt))),
    ),
    announce<PayoutMessage>(ctx, holdMessageIds(holdId).ends, {
      type: "payouts.released",
      creatorId,
    }),
  ];
}

/**
 * Holds every payout of a creator after their provider paid a payout that was reported as failed or
 * returned.
 *
 * The money is already back in their balance. It must not leave again until a moderator checks and
 * releases it (`releasePayoutsOf`). Safe to repeat; does nothing where they are already held.
 */
export async function holdAfterReversalPaid(
  ctx: Context,
  { id: payoutId, creatorId }: Pick<Payout, "id" | "creatorId">,
): Promise<void> {
  ctx.log("payouts.paid_after_given_back", { payoutId });
  const holdId = ctx.newId();
  try {
    await commit(
      ctx.db,
      holdStatements(ctx, {
        holdId,
        creatorId,
        reason: PAID_AFTER_REVERSAL_TEXT,
        heldBy: PRODUCT,
      }),
    );
  } catch (error) {
    if (error instanceof UniqueViolation) return;
    throw error;
  }
  await ctx.queues.notifications.send({
    version: 1,
    type: "outbox.deliver",
    id: holdMessageIds(holdId).comes,
  });
}
