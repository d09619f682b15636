import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { nextAttemptAt } from "#app/domain/retry-backoff/queries.server.ts";
import { ENQUEUED_LIFETIME_MS } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import type { Instant } from "#app/domain/time.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

/** How many rows one statement takes, sent in ten calls to the queue. */
export const ENQUEUE_PAGE_SIZE = 1_000;

type EnqueueBudget = { limit: number; hasRoom?: () => boolean };

/**
 * Queues the subscriptions that the calendar has to check, the longest due first. It takes pages of
 * `ENQUEUE_PAGE_SIZE`, at most `limit` in all, while the run has room. Returns how many messages
 * were sent. Failed ones are put off until their retry is due, and not read before.
 *
 * INVARIANT: of one subscription at most one message counts at any time. One statement takes a page
 * before it is sent, so that no other run takes it. It is not queued again until
 * `ENQUEUED_LIFETIME_MS` passed, and then its former message does nothing (`isQueueMessageStale`).
 * So a message lost by a queue or a dead worker is sent again. A stopped queue never holds more
 * valid messages than were sent in that time.
 */
export async function enqueueDueSubscriptions(
  ctx: Context,
  { limit, hasRoom = () => true }: EnqueueBudget,
): Promise<number> {
  let [taken, sent] = [0, 0];
  while (taken < limit && hasRoom()) {
    const [until, count] = [
      ctx.now() + ENQUEUED_LIFETIME_MS,
      Math.min(ENQUEUE_PAGE_SIZE, limit - taken),
    ];
    const page = await takenPage(ctx, { until, count });
    const messages = page
      .filter(({ enqueuedUntil }) => enqueuedUntil === until)
      .map(({ id }) => ({ version: 1, type: "subscription.renew", id, until }) as const);
    await ctx.queues.renewals.sendAll(messages);
    taken += page.length;
    sent += messages.length;
    if (page.length < count) break;
  }
  return sent;
}

/** Takes one page of due rows that are in no queue, and marks them as queued; no other row is read. */
async function takenPage(
  ctx: Context,
  { until, count }: { until: Instant; count: number },
): Promise<{ id: string; enqueuedUntil: Instant | null }[]> {
  // These are the exact words of the index `subscriptions_to_enqueue`.
  const at = sql.raw(
    "CASE WHEN due.enqueued_until > due.calendar_at THEN due.enqueued_until ELSE due.calendar_at END",
  );
  const next = sql`SELECT due.id FROM subscriptions due WHERE due.calendar_at IS NOT NULL AND ${at} <= ${ctx.now()} ORDER BY ${at}, due.id LIMIT ${count}`;
  return await ctx.db
    .update(subscriptions)
    .set({
      enqueuedUntil: sql`coalesce(${nextAttemptAt(ctx, subscriptions.id)}, CAST(${until} AS INTEGER))`,
    })
    .where(sql`${subscriptions.id} IN (${next})`)
    .returning({ id: subscriptions.id, enqueuedUntil: subscriptions.enqueuedUntil });
}
