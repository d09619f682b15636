import { zonedDay, startOfZonedDay } from "#app/domain/analytics/days/rules.ts";
import { rollUpDay } from "#app/domain/analytics/rollups/commands.server.ts";
import type { Context } from "#app/domain/context.ts";
import { SECOND_MS, TIME_ZONE } from "#app/domain/time.ts";

const DAYS = 28;

/**
 * Gives a creator so many views over the last 28 days, from as many visitors as stored points, and
 * sums the days. Above `points` each point stands for several views, as a store that samples writes
 * them.
 */
export async function seenOften(
  ctx: Context,
  binding: D1Database,
  { creatorId, views, points }: { creatorId: string; views: number; points: number },
): Promise<void> {
  const today = zonedDay(TIME_ZONE, ctx.now());
  const from = startOfZonedDay(TIME_ZONE, today - DAYS + 1) / SECOND_MS;
  await binding
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1)
       INSERT INTO coreto_views (timestamp, index1, blob1, blob2, blob3, blob4, blob5, blob6, blob7, blob8, double1, _sample_interval)
       SELECT CAST(?2 + (i * 86400.0 * (${DAYS} - 1)) / ?1 AS INTEGER), ?3, '${TIME_ZONE}', 'page', 'view', 'v' || i, 'site' || (i % 5) || '.test', '', 'phone', 'BR', 1, CAST(?4 AS INTEGER) FROM n`,
    )
    .bind(points, from, creatorId, views / points)
    .run();
  for (let day = today - DAYS + 1; day <= today; day += 1)
    await rollUpDay(ctx, { timeZone: TIME_ZONE, day });
}
