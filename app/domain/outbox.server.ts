import { and, eq, isNull } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { outbox } from "#drizzle/schema/outbox.ts";

/** What the outbox may carry. Each message holds what it needs to be shown: its reader looks nothing up. */
export type OutboxMessage =
  | {
      type: "subscription.started";
      subscriptionId: string;
      chargeId: string;
      fanId: string;
      creatorId: string;
      fanName: string;
      creatorName: string;
      creatorUsername: string;
      planName: string;
      amountCents: number;
      welcomeMessage: string;
    }
  | { type: "subscription.ended"; subscriptionId: string; fanId: string; creatorName: string; creatorUsername: string; planName: string }
  | { type: "subscription.renewed"; subscriptionId: string; chargeId: string; fanId: string; creatorId: string; creatorName: string; planName: string; amountCents: number }
  | { type: "charge.refunded"; chargeId: string; refundId: string; payerId: string; amountCents: number; description: string; reason: string }
  | { type: "charge.disputed"; chargeId: string; disputeId: string; creatorId: string; amountCents: number; description: string }
  | { type: "payout.paid"; payoutId: string; creatorId: string; amountCents: number }
  | { type: "payout.failed"; payoutId: string; creatorId: string; amountCents: number }
  | { type: "payout.returned"; payoutId: string; creatorId: string; amountCents: number }
  | { type: "withdrawal.changed"; creatorId: string; pixKeyMasked: string; holdUntil: number }
  | { type: "documents.decided"; personId: string; decision: "approved" | "rejected"; reason: string; decidedAt: number }
  | { type: "post.commented"; commentId: string; postId: string; postTitle: string; authorId: string; commenterName: string };

/**
 * The statement that records `message` in the batch of the command that made it happen. Delivery is later and may repeat:
 * `key` (such as `charge:<id>:refunded`) makes the announcement once.
 */
export function announce(ctx: Context, key: string, message: OutboxMessage) {
  return ctx.db
    .insert(outbox)
    .values({ id: key, type: message.type, payload: message, createdAt: ctx.realNow() })
    .onConflictDoNothing();
}

/** The statement that stamps a message as told; it matches nothing when it already was. */
export function deliveredStatement(ctx: Context, { outboxId }: { outboxId: string }) {
  return ctx.db
    .update(outbox)
    .set({ handledAt: ctx.realNow() })
    .where(and(eq(outbox.id, outboxId), isNull(outbox.handledAt)));
}

/** The statement that sets a message aside with its reason. */
export function quarantineStatement(ctx: Context, { outboxId, reason }: { outboxId: string; reason: string }) {
  return ctx.db.update(outbox).set({ quarantinedAt: ctx.realNow(), quarantineReason: reason }).where(eq(outbox.id, outboxId));
}
