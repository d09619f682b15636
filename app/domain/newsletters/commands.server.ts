import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { newsletterPage } from "./queries.server.ts";
import { newsletters } from "#app/domain/newsletters/commands/reactions.server.ts";
import {
  newsletterDeliveryKey,
  newsletterStatement,
  sendDeliveries,
} from "#app/domain/notifications/commands/sending.server.ts";
import { undeliveredMessage } from "#app/domain/notifications/queries.server.ts";
import { pausedUntil } from "#app/domain/notifications/rules/sending.ts";
import { recordFailure } from "#app/domain/retry-backoff/commands.server.ts";
import { outboxProgressStatement } from "#app/domain/outbox.server.ts";

/** Emails of one run, well within a worker's limit of outgoing calls. */
export const NEWSLETTER_PAGE_SIZE = 50;

/**
 * Sends the next page of a post's newsletter. The page's deliveries and the progress are one batch:
 * a killed run asked for all of a page or for nothing, and the cron sends what it left. Then
 * enqueues the next page. Of two runs of one page the second does nothing. While the post is taken
 * down or held it waits, for six days at most. Does nothing for a newsletter that was sent.
 */
export async function sendNewsletterPage(
  ctx: Context,
  { outboxId }: { outboxId: string },
): Promise<void> {
  const waiting = await undeliveredMessage(ctx, { outboxId });
  if (!waiting) return;
  const postId = String(waiting.payload["postId"]);
  const page = await newsletterPage(ctx, {
    postId,
    after: waiting.progress ?? "",
    limit: NEWSLETTER_PAGE_SIZE,
  });
  const open = page === "paused" ? null : page;
  if (page === "paused" && pausedUntil(waiting.createdAt, ctx.realNow()) !== null)
    // Postponed as what failed is: the cron looks again later and later.
    return await recordFailure(ctx, { subjectId: outboxId });
  const { personIds, next } = open ?? { personIds: [], next: null };
  try {
    await commit(ctx.db, [
      mustChangeOne(outboxProgressStatement(ctx, { outboxId, from: waiting.progress, to: next })),
      ...(open ? [newsletterStatement(ctx, { postId, authorId: open.authorId, personIds })] : []),
    ]);
  } catch (error) {
    // Another run of the same page was faster.
    if (!(error instanceof StaleWrite)) throw error;
    return;
  }
  if (next !== null)
    await ctx.queues.fanOut.send({ version: 1, type: "outbox.deliver", id: outboxId });
  await sendDeliveries(ctx, {
    keys: personIds.map((personId) => newsletterDeliveryKey(postId, personId)),
    newsletters,
  });
}
