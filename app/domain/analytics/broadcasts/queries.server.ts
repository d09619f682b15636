import { sql } from "drizzle-orm";
import type { DayRange } from "#app/domain/analytics/ranges/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { startOfDay } from "#app/domain/time.ts";
import type { BroadcastNumbers } from "./schema.ts";

/** How many broadcasts a table shows. */
const BROADCASTS_SHOWN = 50;

/**
 * Reads the broadcasts that were sent in a range, the latest first. Days are São Paulo's. Reads
 * what a cron counted (`countBroadcasts`), never single recipients.
 */
export async function broadcastNumbers(
  ctx: Context,
  { creatorId, range }: { creatorId: string; range: DayRange },
): Promise<BroadcastNumbers[]> {
  return await ctx.db.all<BroadcastNumbers>(sql`
    SELECT b.id, b.body AS text, b.started_at AS startedAt, b.recipient_count AS recipientCount, b.delivered_count AS sentCount,
      CASE WHEN a.counted_at IS NOT NULL THEN a.opened_count END AS openedCount,
      CASE WHEN a.counted_at IS NOT NULL THEN a.answered_count END AS answeredCount,
      CASE WHEN a.counted_at IS NOT NULL THEN a.buyers_count END AS buyersCount
    FROM broadcasts b LEFT JOIN analytics_broadcasts a ON a.broadcast_id = b.id
    WHERE b.creator_id = ${creatorId} AND b.send_at IS NOT NULL AND b.started_at IS NOT NULL
      AND b.send_at >= ${startOfDay(range.from)} AND b.send_at < ${startOfDay(range.until + 1)}
    ORDER BY b.send_at DESC, b.id LIMIT ${BROADCASTS_SHOWN}`);
}
