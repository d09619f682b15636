import type { Context } from "#app/domain/context.ts";
import { enqueueOutboxStatement, abandonOutboxStatement } from "#app/domain/outbox.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How many messages one statement takes, sent in ten calls to the queue. */
export const OUTBOX_PAGE = 1_000;
/**
 * How long an outbox message counts as queued. A message that the queue loses is enqueued again
 * afterwards.
 */
export const OUTBOX_ENQUEUED_LIFETIME_MS = 10 * MINUTE_MS;
/** A message that fails for so long is abandoned: by then it is outdated. */
export const DEAD_LETTER_AFTER_MS = 7 * DAY_MS;
/**
 * Attempts come at most every half an hour: twice as many in those days. A message that only waited
 * for a stopped worker is not abandoned.
 */
export const DEAD_LETTER_FAILURES = 100;

type WaitingOutboxRequest = {
  before: Instant;
  skipped: number;
  limit: number;
  /** Whether those to many people are meant, which have a queue of their own. */
  toMany?: boolean;
  hasRoom?: () => boolean;
};

/**
 * Enqueues messages that wait since before `before` (real time), oldest first. Skips the first
 * `skipped`, which the caller delivers. Takes pages of `OUTBOX_PAGE`, at most `limit` in all, while
 * the run has room. Returns how many messages were sent. INVARIANT: an announcement is in the queue
 * once at a time. One statement takes a page before it is sent, and not again for
 * `OUTBOX_ENQUEUED_LIFETIME_MS`. Single delivery does not depend on that: the delivery stamps the
 * message.
 */
export async function enqueueWaitingMessages(
  ctx: Context,
  { before, skipped, limit, toMany = false, hasRoom = () => true }: WaitingOutboxRequest,
): Promise<number> {
  let [taken, sent] = [0, 0];
  while (taken < limit && hasRoom()) {
    const [until, count] = [
      ctx.realNow() + OUTBOX_ENQUEUED_LIFETIME_MS,
      Math.min(OUTBOX_PAGE, limit - taken),
    ];
    const page = await enqueueOutboxStatement(ctx, { before, skipped, count, until, toMany });
    const messages = page
      .filter(({ enqueuedUntil }) => enqueuedUntil === until)
      .map(({ id }) => ({ version: 1, type: "outbox.deliver", id }) as const);
    await (toMany ? ctx.queues.fanOut : ctx.queues.notifications).sendAll(messages);
    taken += page.length;
    sent += messages.length;
    if (page.length < count) break;
  }
  return sent;
}

/**
 * Quarantines messages that could not be delivered for a week, in spite of every attempt. They stay
 * stored for staff to examine.
 */
export async function abandonFailedMessages(ctx: Context): Promise<void> {
  const given = await abandonOutboxStatement(ctx, {
    before: ctx.realNow() - DEAD_LETTER_AFTER_MS,
    failures: DEAD_LETTER_FAILURES,
    reason: "undeliverable",
  });
  for (const { id } of given)
    ctx.log("notifications.message_quarantined", { outboxId: id, reason: "undeliverable" });
}
