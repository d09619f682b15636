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

/** Who holds payouts where nobody of the staff decided it. */
const PRODUCT = "coreto";

/** The ids of what is told of a hold: that it came, and that it ended. */
export const holdMessageIds = (holdId: string) => ({
  comes: `payout-hold:${holdId}:comes`,
  ends: `payout-hold:${holdId}:ends`,
});

/**
 * Holds every payout of a person, those to come too, in words that they read; refused by the index
 * `payout_holds_one` where they are held already. INVARIANT: whose payouts are held hears it once,
 * from the batch that holds them, and once that they go again, whether or not they asked for one.
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

/** Ends a hold that nobody ended yet, and says so to whom it held. */
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
 * Holds every payout of a creator back whose provider pays one that was told as failed or returned:
 * its money went back to their balance, and must not leave a second time before a moderator looked
 * and let go (`releasePayoutsOf`). Safe to repeat; does nothing where they are held already.
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
