import { eq, sql } from "drizzle-orm";
import { broadcastStatistics } from "#app/domain/broadcasts/queries.server.ts";
import type { Context } from "#app/domain/context.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { analyticsBroadcasts } from "#drizzle/schema/analytics.ts";

/** More than a run has room for. */
const BROADCASTS_A_RUN = 500;
/** For how long answers and purchases after a broadcast are counted. */
const COUNTED_DAYS = 30;
/** Who pays later is not said to have paid because of it. */
const BOUGHT_WITHIN_DAYS = 7;

/** The broadcasts that are to be counted, the longest due first. */
export async function dueBroadcastCounts(ctx: Context): Promise<string[]> {
  const rows = await ctx.db.all<{ id: string }>(sql`
    SELECT broadcast_id AS id FROM analytics_broadcasts WHERE due_at IS NOT NULL AND due_at <= ${ctx.now()}
    ORDER BY due_at LIMIT ${BROADCASTS_A_RUN}`);
  return rows.map(({ id }) => id);
}

/**
 * Counts who opened and answered a broadcast, and who paid its creator within seven days of it,
 * renewals left out. Counts again a day later, until 30 days have passed. Reads about five rows a
 * recipient. Safe to repeat; one that is gone is counted no more.
 */
export async function countBroadcast(
  ctx: Context,
  { broadcastId }: { broadcastId: string },
): Promise<void> {
  const now = ctx.now();
  const { openedCount, answeredCount } = await broadcastStatistics(ctx, { id: broadcastId });
  const [row] = await ctx.db.all<{ startedAt: number; buyersCount: number }>(sql`
    SELECT b.started_at AS startedAt, (SELECT COUNT(*) FROM broadcast_recipients r WHERE r.broadcast_id = b.id AND r.seq IS NOT NULL
      AND EXISTS (SELECT 1 FROM charges c WHERE c.creator_id = b.creator_id AND c.payer_id = r.person_id AND c.succeeded_at IS NOT NULL
        AND c.succeeded_at >= b.started_at AND c.succeeded_at < b.started_at + ${BOUGHT_WITHIN_DAYS * DAY_MS}
        AND c.purchase_kind <> 'debt' AND c.period_starts_at IS NULL)) AS buyersCount
    FROM broadcasts b WHERE b.id = ${broadcastId} AND b.started_at IS NOT NULL`);
  const isOver = !row || now >= row.startedAt + COUNTED_DAYS * DAY_MS;
  await ctx.db
    .update(analyticsBroadcasts)
    .set({
      ...(row ? { openedCount, answeredCount, buyersCount: row.buyersCount, countedAt: now } : {}),
      dueAt: isOver ? null : now + DAY_MS,
    })
    .where(eq(analyticsBroadcasts.broadcastId, broadcastId));
}
