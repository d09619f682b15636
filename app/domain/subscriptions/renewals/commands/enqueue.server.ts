import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { nextAttemptAt } from "#app/domain/retry-backoff/queries.server.ts";
import { ENQUEUED_LIFETIME_MS } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import type { Instant } from "#app/domain/time.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

/** How many are taken in one statement, and sent in ten calls to the queue. */
export const ENQUEUE_PAGE_SIZE = 1_000;

type EnqueueBudget = { limit: number; hasRoom?: () => boolean };

/**
 * Hands what the calendar is to look at over to its queue, first what waits the longest: pages of
 * `ENQUEUED_PAGE`, at most `limit` in all and while there is room in the run; gives how many
 * messages were sent. What failed and has no turn yet is put off until then, and never read again
 * before.
 *
 * INVARIANT: of one subscription at most one message counts at any time. A page is taken by one
 * statement before it is sent, so that no other run takes it too; until `ENQUEUED_MS` have passed
 * it is not handed out again, and from then on its message does nothing (`isQueueMessageStale`), so
 * that what a queue loses, or a worker that dies between the two, is sent again, and a queue that
 * stands still never holds more that counts than was sent in that time.
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

/** One page of what is due and in no queue, from now on in it; no other row is read. */
async function takenPage(
  ctx: Context,
  { until, count }: { until: Instant; count: number },
): Promise<{ id: string; enqueuedUntil: Instant | null }[]> {
  // The words of the index `subscriptions_to_enqueue`.
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
