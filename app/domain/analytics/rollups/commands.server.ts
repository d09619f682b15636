import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { faultText } from "#app/db/errors.ts";
import { knownZone, startOfZonedDay, zonedDay } from "#app/domain/analytics/days/rules.ts";
import { sumPlatformDay } from "#app/domain/analytics/platform/commands.server.ts";
import { POINTS_RETENTION_DAYS } from "#app/domain/analytics/views/schema.ts";
import type { ReachSum, ViewRange, ZonedDay } from "#app/domain/analytics/views/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { DAY_MS, HOUR_MS, TIME_ZONE } from "#app/domain/time.ts";
import type { DayNumber } from "#app/domain/time.ts";
import { analyticsProgress } from "#drizzle/schema/analytics.ts";
import { dayRows, sourceRows } from "./rules.ts";
import type { DayRow, SourceRow } from "./rules.ts";

/** What summing needs, so that a tool without a whole product can do it too. */
type RollupContext = Pick<Context, "db" | "now" | "views">;

/**
 * Sums the views of one day of one time zone, for every creator seen there, some at a time. The
 * result replaces what that zone had of the day, so that it may run twice, be killed in between,
 * and be made again later. Views older than the store keeps them stay as they were summed.
 */
export async function rollUpDay(ctx: RollupContext, { timeZone, day }: ZonedDay): Promise<void> {
  const from = startOfZonedDay(timeZone, day);
  const range = { timeZone, from, until: startOfZonedDay(timeZone, day + 1) };
  if (from < ctx.now() - (POINTS_RETENTION_DAYS - 1) * DAY_MS) return;
  for (let after: string | null = null; ;) {
    const ids = await ctx.views.creators(range, { after, limit: CREATORS_A_BATCH });
    if (ids.length > 0)
      await commit(ctx.db, viewWrites(ctx, { timeZone, day }, await summed(ctx, range, ids)));
    if (ids.length < CREATORS_A_BATCH) return;
    after = ids.at(-1) ?? null;
  }
}

/**
 * Creators that are summed at once and written in one batch. Memory holds no more of a day, and
 * 20,000 creators are a hundred batches.
 */
const CREATORS_A_BATCH = 200;

async function summed(
  { views }: RollupContext,
  range: ViewRange,
  ids: readonly string[],
): Promise<SummedCreator[]> {
  const sums = await views.sums(range, ids);
  const reads = await views.readSums(range, ids);
  const days = dayRows(sums, reads);
  const sourcesOf = Map.groupBy(await views.sourceSums(range, ids), (sum) => sum.creatorId);
  const reachOf = Map.groupBy(await views.reachSums(range, ids), (sum) => sum.creatorId);
  return ids.map((creatorId) => ({
    creatorId,
    rows: (days.get(creatorId) ?? []).map((row) => ({ creatorId, ...row })),
    sources: sourceRows(sourcesOf.get(creatorId) ?? []).map((row) => ({ creatorId, ...row })),
    reach: reachOf.get(creatorId) ?? [],
  }));
}

type SummedCreator = {
  creatorId: string;
  rows: (DayRow & { creatorId: string })[];
  sources: (SourceRow & { creatorId: string })[];
  reach: ReachSum[];
};

function viewWrites(
  ctx: RollupContext,
  { timeZone, day }: ZonedDay,
  creators: readonly SummedCreator[],
): BatchWrite[] {
  const ids = JSON.stringify(creators.map(({ creatorId }) => creatorId));
  const isReplaced = sql`creator_id IN (SELECT value FROM json_each(${ids})) AND day = ${day} AND time_zone = ${timeZone}`;
  const rows = JSON.stringify(creators.flatMap((one) => one.rows));
  const sources = JSON.stringify(creators.flatMap((one) => one.sources));
  const reach = JSON.stringify(creators.flatMap((one) => one.reach));
  return [
    ctx.db.run(sql`DELETE FROM analytics_days WHERE ${isReplaced}`),
    ctx.db.run(sql`
      INSERT INTO analytics_days (creator_id, day, subject, time_zone, views, visitors, plays, reads, read_seconds)
      SELECT ${text("creatorId")}, ${day}, ${text("subject")}, ${timeZone}, ${int("views")}, ${int("visitors")}, ${int("plays")}, ${int("reads")}, ${int("readSeconds")}
      FROM json_each(${rows}) row`),
    ctx.db.run(sql`DELETE FROM analytics_retention WHERE ${isReplaced}`),
    ctx.db.run(sql`
      INSERT INTO analytics_retention (creator_id, day, subject, time_zone, step, plays)
      SELECT ${text("creatorId")}, ${day}, ${text("subject")}, ${timeZone}, ${int("step")}, ${int("plays")}
      FROM json_each(${reach}) row`),
    ctx.db.run(sql`DELETE FROM analytics_sources WHERE ${isReplaced}`),
    ctx.db.run(sql`
      INSERT INTO analytics_sources (creator_id, day, dimension, value, time_zone, views, visitors)
      SELECT ${text("creatorId")}, ${day}, ${text("dimension")}, ${text("value")}, ${timeZone}, ${int("views")}, ${int("visitors")}
      FROM json_each(${sources}) row`),
  ];
}

const text = (name: string): SQL => sql.raw(`json_extract(row.value, '$.${name}')`);
const int = (name: string): SQL => sql.raw(`CAST(json_extract(row.value, '$.${name}') AS INTEGER)`);

/**
 * Sums the days that are due in each time zone: today so far, then those that ended since the last
 * one that was summed. A zone that fails is logged, and does not stop the others. What there is no
 * room for waits for the next run.
 */
export async function rollUpDue(
  ctx: RollupContext & Pick<Context, "log">,
  hasRoom: () => boolean,
): Promise<void> {
  for (const zone of await zonesInUse(ctx)) {
    try {
      await rollUpZone(ctx, zone, hasRoom);
    } catch (error) {
      ctx.log("analytics.rollup_failed", { zone: zone.timeZone, error: faultText(error) });
    }
  }
  await ctx.views.forget(ctx.now() - POINTS_RETENTION_DAYS * DAY_MS);
}

async function rollUpZone(
  ctx: RollupContext,
  { timeZone, closedDay }: ZoneProgress,
  hasRoom: () => boolean,
): Promise<void> {
  const now = ctx.now();
  const today = zonedDay(timeZone, now);
  await sumDay(ctx, { timeZone, day: today });
  for (let day = (closedDay ?? today - 2) + 1; day < today && hasRoom(); day += 1) {
    await sumDay(ctx, { timeZone, day });
    // A point takes a while until a query sees it.
    if (startOfZonedDay(timeZone, day + 1) + HOUR_MS <= now) await closeDay(ctx, { timeZone, day });
  }
}

/** The platform's days are São Paulo's. */
async function sumDay(ctx: RollupContext, { timeZone, day }: ZonedDay): Promise<void> {
  await rollUpDay(ctx, { timeZone, day });
  if (timeZone === TIME_ZONE) await sumPlatformDay(ctx, { day });
}

async function closeDay(ctx: RollupContext, { timeZone, day: closedDay }: ZonedDay): Promise<void> {
  await ctx.db
    .insert(analyticsProgress)
    .values({ timeZone, closedDay })
    .onConflictDoUpdate({
      target: analyticsProgress.timeZone,
      set: { closedDay: sql`MAX(closed_day, excluded.closed_day)` },
    });
}

const MOST_REBUILT_DAYS = 366;

type ZoneProgress = { timeZone: string; closedDay: DayNumber | null };

/**
 * The zones of the creators that the product knows, with the last day that was closed there. A zone
 * stays in use while it has views that may be summed again.
 */
async function zonesInUse(ctx: RollupContext): Promise<ZoneProgress[]> {
  const rows = await ctx.db.all<ZoneProgress>(sql`
    SELECT zones.time_zone AS timeZone, p.closed_day AS closedDay FROM (
      SELECT ${TIME_ZONE} AS time_zone
      UNION SELECT h.time_zone FROM notification_hours h
      WHERE EXISTS (SELECT 1 FROM profiles c WHERE c.person_id = h.person_id AND c.is_creator = 1)
      UNION SELECT time_zone FROM analytics_progress
    ) zones LEFT JOIN analytics_progress p ON p.time_zone = zones.time_zone ORDER BY zones.time_zone <> ${TIME_ZONE}, 1`);
  return rows.filter(({ timeZone }) => knownZone(timeZone) === timeZone);
}

/**
 * Makes the days from `from` to today again, in every zone. Returns how many days were made. `from`
 * is a day number; a later one than today makes none.
 */
export async function rebuildDays(
  ctx: RollupContext,
  { from }: { from: DayNumber },
): Promise<number> {
  let made = 0;
  for (const { timeZone } of await zonesInUse(ctx)) {
    const today = zonedDay(timeZone, ctx.now());
    for (let day = from; day <= today; day += 1) {
      await sumDay(ctx, { timeZone, day });
      made += 1;
    }
  }
  return made;
}

/**
 * Has the cron sum the days from `from` on again, a year back at most. A day in the future changes
 * nothing.
 */
export async function requestRebuild(
  ctx: RollupContext,
  { from }: { from: DayNumber },
): Promise<void> {
  const first = Math.max(from, zonedDay(TIME_ZONE, ctx.now()) - MOST_REBUILT_DAYS);
  await ctx.db.run(
    sql`UPDATE analytics_progress SET closed_day = ${first - 1} WHERE closed_day >= ${first}`,
  );
}
