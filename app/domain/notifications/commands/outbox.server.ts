import type { Context } from "#app/domain/context.ts";
import { enqueueOutboxStatement, abandonOutboxStatement } from "#app/domain/outbox.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How many are taken in one statement, and sent in ten calls to the queue. */
export const OUTBOX_PAGE = 1_000;
/**
 * How long a message of the outbox counts as in its queue; one that the queue loses is handed over
 * again after it.
 */
export const OUTBOX_ENQUEUED_LIFETIME_MS = 10 * MINUTE_MS;
/** What fails at every turn for so long is told by nobody: by then it is no news. */
export const DEAD_LETTER_AFTER_MS = 7 * DAY_MS;
/**
 * At most every half an hour, twice as many in those days: what merely waited for a worker that
 * stood still is not given up.
 */
export const DEAD_LETTER_FAILURES = 100;

type WaitingOutboxRequest = {
  before: Instant;
  skipped: number;
  limit: number;
  hasRoom?: () => boolean;
};

/**
 * Hands what waits since before `before` (real time) over to the queue of notifications, oldest
 * first, but for the first `skipped`, which are the caller's: pages of `OUTBOX_PAGE`, at most
 * `limit` in all and while there is room in the run; gives how many messages were sent.
 *
 * INVARIANT: an announcement is in the queue once at a time: a page is taken by one statement
 * before it is sent, and not again before `OUTBOX_ENQUEUED_MS` have passed. That it is told once
 * does not hang on that: delivering stamps it.
 */
export async function enqueueWaitingMessages(
  ctx: Context,
  { before, skipped, limit, hasRoom = () => true }: WaitingOutboxRequest,
): Promise<number> {
  let [taken, sent] = [0, 0];
  while (taken < limit && hasRoom()) {
    const [until, count] = [
      ctx.realNow() + OUTBOX_ENQUEUED_LIFETIME_MS,
      Math.min(OUTBOX_PAGE, limit - taken),
    ];
    const page = await enqueueOutboxStatement(ctx, { before, skipped, count, until });
    const messages = page
      .filter(({ enqueuedUntil }) => enqueuedUntil === until)
      .map(({ id }) => ({ version: 1, type: "outbox.deliver", id }) as const);
    await ctx.queues.notifications.sendAll(messages);
    taken += page.length;
    sent += messages.length;
    if (page.length < count) break;
  }
  return sent;
}

/**
 * Sets aside what nobody could be told of for a week, in spite of a try at every turn; it stays to
 * be looked at.
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
