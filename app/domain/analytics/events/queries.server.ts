import { sql } from "drizzle-orm";
import type { DayRange } from "#app/domain/analytics/ranges/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { startOfDay } from "#app/domain/time.ts";
import type { EventNumbers } from "./schema.ts";

/** How many events a table shows. */
const EVENTS_SHOWN = 50;

/**
 * Reads the events that began in a range, and those with tickets sold in it, the latest first.
 * Seats, presence and money are of the whole event. Days are São Paulo's. Reads sums, never single
 * seats or charges.
 */
export async function eventNumbers(
  ctx: Context,
  { creatorId, range }: { creatorId: string; range: DayRange },
): Promise<EventNumbers[]> {
  const money = (column: string) =>
    sql`COALESCE((SELECT SUM(${sql.raw(`i.${column}`)}) FROM analytics_items i WHERE i.creator_id = e.creator_id AND i.item_id = e.id), 0)`;
  const rows = await ctx.db.all<Omit<EventNumbers, "isCanceled"> & { isCanceled: number }>(sql`
    WITH chosen AS (
      SELECT id FROM (SELECT id FROM events WHERE creator_id = ${creatorId} AND status <> 'draft'
        AND starts_at >= ${startOfDay(range.from)} AND starts_at < ${startOfDay(range.until + 1)} ORDER BY starts_at DESC LIMIT ${EVENTS_SHOWN})
      UNION SELECT id FROM (SELECT item_id AS id FROM analytics_items
        WHERE creator_id = ${creatorId} AND day BETWEEN ${range.from} AND ${range.until} AND kind = 'event'
        GROUP BY item_id HAVING SUM(count) > 0 ORDER BY SUM(net_cents) DESC LIMIT ${EVENTS_SHOWN})
    )
    SELECT e.id, e.title, e.starts_at AS startsAt, e.time_zone AS timeZone, e.status = 'canceled' AS isCanceled, e.capacity,
      e.seats_taken AS seatsTaken, CASE WHEN e.starts_at <= ${ctx.now()} OR e.checked_in_count > 0 THEN e.checked_in_count END AS checkedInCount,
      ${money("count")} AS sales, ${money("amount_cents")} AS grossCents, ${money("net_cents")} AS netCents
    FROM chosen c JOIN events e ON e.id = c.id WHERE e.creator_id = ${creatorId}
    ORDER BY e.starts_at DESC, e.id LIMIT ${EVENTS_SHOWN}`);
  return rows.map((row) => ({ ...row, isCanceled: row.isCanceled === 1 }));
}
