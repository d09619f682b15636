import { and, eq } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  QuarantinedEventChanged,
  QuarantinedEventNotFound,
  QuarantinedEventConflictOfInterest,
} from "#app/domain/payments/errors.ts";
import {
  quarantinedEvent,
  isQuarantined,
} from "#app/domain/payments/webhook-events/queries/quarantine.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { inbox } from "#drizzle/schema/payments.ts";

/** `seenAt`: when the event was quarantined, as the moderator saw it. */
type QuarantineAnswerRequest = { inboxId: string; seenAt: Instant; moderatorId: string };

/**
 * Returns a quarantined event to its queue, with a fresh count of attempts. It is applied as any
 * other, or quarantined again. Of two concurrent requests one succeeds. Refuses
 * QuarantinedEventNotFound. Refuses QuarantinedEventChanged if the event is no longer quarantined,
 * or was again since it was seen. Source:
 * docs/decisions/money/quarantine-webhook-deliveries-that-cannot-be-applied.md.
 */
export async function retryQuarantinedEvent(
  ctx: Context,
  { inboxId, seenAt, moderatorId }: QuarantineAnswerRequest,
): Promise<void> {
  if (!(await quarantinedEvent(ctx, { inboxId, moderatorId })))
    throw new QuarantinedEventNotFound();
  await answered(
    ctx,
    { inboxId, seenAt },
    {
      answer: "retried",
      answeredAt: ctx.realNow(),
      answeredBy: moderatorId,
      answerNote: null,
      attempts: 0,
      quarantinedAt: null,
    },
  );
  ctx.log("payments.event_retried", { inboxId, moderatorId });
  await ctx.queues.paymentEvents.send({ version: 1, type: "inbox.received", id: inboxId });
}

/**
 * Closes a quarantined event for good, with a note and the moderator's name. Refuses what
 * `retryQuarantinedEvent` refuses. Refuses QuarantinedEventConflictOfInterest to a party of its
 * subject: the payer, or the payee or their team (`isPartyToMoney`). Source:
 * docs/decisions/money/quarantine-webhook-deliveries-that-cannot-be-applied.md and
 * docs/decisions/money/require-a-second-person-for-risky-money-decisions.md.
 */
export async function closeQuarantinedEvent(
  ctx: Context,
  { inboxId, seenAt, moderatorId, note }: QuarantineAnswerRequest & { note: string },
): Promise<void> {
  const delivery = await quarantinedEvent(ctx, { inboxId, moderatorId });
  if (!delivery) throw new QuarantinedEventNotFound();
  if (delivery.isSide) throw new QuarantinedEventConflictOfInterest();
  await answered(
    ctx,
    { inboxId, seenAt },
    { answer: "closed", answeredAt: ctx.realNow(), answeredBy: moderatorId, answerNote: note },
  );
  ctx.log("payments.event_closed", { inboxId, moderatorId });
}

async function answered(
  ctx: Context,
  { inboxId, seenAt }: Pick<QuarantineAnswerRequest, "inboxId" | "seenAt">,
  answer: Partial<typeof inbox.$inferInsert>,
): Promise<void> {
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(inbox)
          .set(answer)
          .where(and(eq(inbox.id, inboxId), eq(inbox.quarantinedAt, seenAt), isQuarantined)),
      ),
    ]);
  } catch (error) {
    if (error instanceof StaleWrite) throw new QuarantinedEventChanged();
    throw error;
  }
}
