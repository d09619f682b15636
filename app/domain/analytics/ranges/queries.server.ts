import { sql } from "drizzle-orm";
import { knownZone, zonedDay } from "#app/domain/analytics/days/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { dayNumberOf } from "#app/domain/time.ts";
import type { DayNumber, Instant } from "#app/domain/time.ts";

/** A creator's time zone, the day it is there, and the first day with numbers. */
export type CreatorCalendar = { timeZone: string; today: DayNumber; firstDay: DayNumber };

export async function creatorCalendar(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<CreatorCalendar> {
  const now = ctx.now();
  const [row] = await ctx.db.all<{ timeZone: string | null; createdAt: Instant }>(sql`
    SELECT h.time_zone AS timeZone, p.created_at AS createdAt FROM profiles p
    LEFT JOIN notification_hours h ON h.person_id = p.person_id WHERE p.person_id = ${creatorId}`);
  const timeZone = knownZone(row?.timeZone);
  return {
    timeZone,
    // Money and subscriptions are in days of São Paulo, which may be a day further.
    today: Math.max(zonedDay(timeZone, now), dayNumberOf(now)),
    firstDay: zonedDay(timeZone, row?.createdAt ?? now),
  };
}
