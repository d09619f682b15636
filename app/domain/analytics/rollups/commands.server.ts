import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { startOfZonedDay, zonedDay } from "#app/domain/analytics/days/rules.ts";
import { sumPlatformDay } from "#app/domain/analytics/platform/commands.server.ts";
import { forgetSalts } from "#app/domain/analytics/views/commands.server.ts";
import { POINTS_RETENTION_DAYS } from "#app/domain/analytics/views/schema.ts";
import type { ViewSourceSum, ZonedDay } from "#app/domain/analytics/views/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { DAY_MS, HOUR_MS, TIME_ZONE } from "#app/domain/time.ts";
import type { DayNumber } from "#app/domain/time.ts";
import { analyticsProgress } from "#drizzle/schema/analytics.ts";
import { dayRows, sourceRows } from "./rules.ts";
import type { DayRow, SaleSum, SourceRow } from "./rules.ts";

/** What summing needs, so that a tool without a whole product can do it too. */
type RollupContext = Pick<Context, "db" | "now" | "views">;

type PeopleSum = { creatorId: string; follows: number; trials: number };

/**
 * Sums one day of one time zone, for every creator there. The result replaces what the day had, a
 * creator a batch, so that it may run twice, be killed in between, and be made again later. Views
 * older than the store keeps them stay as they were summed.
 */
export async function rollUpDay(ctx: RollupContext, { timeZone, day }: ZonedDay): Promise<void> {
  const from = startOfZonedDay(timeZone, day);
  const range = { timeZone, from, until: startOfZonedDay(timeZone, day + 1) };
  const people = await peopleOfDay(ctx, range);
  for (const some of chunks(people)) await commit(ctx.db, [peopleWrite(ctx, day, some)]);
  if (from < ctx.now() - (POINTS_RETENTION_DAYS - 1) * DAY_MS) return;
  const [sums, sources, sales] = [
    await ctx.views.sums(range),
    await ctx.views.sourceSums(range),
    await salesOfDay(ctx, range),
  ];
  const sourcesOf = Map.groupBy(sources, ({ creatorId }) => creatorId);
  const days = [...dayRows(sums, sales)].map(([creatorId, rows]) => ({
    creatorId,
    rows,
    sources: sourceRows(sourcesOf.get(creatorId) ?? ([] as ViewSourceSum[])),
  }));
  for (const some of chunks(days))
    await commit(
      ctx.db,
      some.flatMap((one) => viewWrites(ctx, day, one)),
    );
}

/** Creators in one batch: a D1 batch is a transaction, and has a limit of time. */
const CREATORS_A_BATCH = 20;

function* chunks<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let from = 0; from < items.length; from += CREATORS_A_BATCH)
    yield items.slice(from, from + CREATORS_A_BATCH);
}

function viewWrites(
  ctx: RollupContext,
  day: DayNumber,
  { creatorId, rows, sources }: { creatorId: string; rows: DayRow[]; sources: SourceRow[] },
): BatchWrite[] {
  return [
    ctx.db.run(sql`DELETE FROM analytics_days WHERE creator_id = ${creatorId} AND day = ${day}`),
    ctx.db.run(sql`
      INSERT INTO analytics_days (creator_id, day, subject, views, visitors, plays, sales, sales_cents)
      SELECT ${creatorId}, ${day}, ${text("subject")}, ${int("views")}, ${int("visitors")}, ${int("plays")}, ${int("sales")}, ${int("salesCents")}
      FROM json_each(${JSON.stringify(rows)}) row`),
    ctx.db.run(sql`DELETE FROM analytics_sources WHERE creator_id = ${creatorId} AND day = ${day}`),
    ctx.db.run(sql`
      INSERT INTO analytics_sources (creator_id, day, dimension, value, views, visitors)
      SELECT ${creatorId}, ${day}, ${text("dimension")}, ${text("value")}, ${int("views")}, ${int("visitors")}
      FROM json_each(${JSON.stringify(sources)}) row`),
  ];
}

const peopleWrite = (ctx: RollupContext, day: DayNumber, rows: readonly PeopleSum[]): BatchWrite =>
  ctx.db.run(sql`
    INSERT INTO analytics_people (creator_id, day, follows, trials)
    SELECT ${text("creatorId")}, ${day}, ${int("follows")}, ${int("trials")}
    FROM json_each(${JSON.stringify(rows)}) row WHERE 1
    ON CONFLICT (creator_id, day) DO UPDATE SET follows = excluded.follows, trials = excluded.trials`);

const text = (name: string): SQL => sql.raw(`json_extract(row.value, '$.${name}')`);
const int = (name: string): SQL => sql.raw(`CAST(json_extract(row.value, '$.${name}') AS INTEGER)`);

type Range = { timeZone: string; from: number; until: number };

/** Whether the creator's time zone is that one; without a choice it is São Paulo. */
const isIn = (creator: string, { timeZone }: Range): SQL =>
  sql`COALESCE((SELECT h.time_zone FROM notification_hours h WHERE h.person_id = ${sql.raw(creator)}), ${TIME_ZONE}) = ${timeZone}`;

function peopleOfDay(ctx: RollupContext, range: Range): Promise<PeopleSum[]> {
  const { from, until } = range;
  return ctx.db.all<PeopleSum>(sql`
    SELECT creator_id AS creatorId, SUM(follows) AS follows, SUM(trials) AS trials FROM (
      SELECT f.creator_id, COUNT(*) AS follows, 0 AS trials
      FROM follows f WHERE f.created_at >= ${from} AND f.created_at < ${until} GROUP BY 1
      UNION ALL
      SELECT s.creator_id, 0, COUNT(*)
      FROM subscriptions s WHERE s.started_at >= ${from} AND s.started_at < ${until} AND s.trial_ends_at IS NOT NULL GROUP BY 1
    ) moved WHERE ${isIn("moved.creator_id", range)} GROUP BY 1 ORDER BY 1`);
}

/** The posts that were sold once, at their price. */
function salesOfDay(ctx: RollupContext, range: Range): Promise<SaleSum[]> {
  return ctx.db.all<SaleSum>(sql`
    SELECT p.creator_id AS creatorId, p.target_id AS subject, COUNT(*) AS sales, SUM(p.amount_cents) AS salesCents
    FROM purchases p WHERE p.bought_at >= ${range.from} AND p.bought_at < ${range.until} AND p.kind = 'post'
      AND ${isIn("p.creator_id", range)}
    GROUP BY 1, 2 ORDER BY 1, 2`);
}

/**
 * Sums the days that are due in each time zone: those that ended since the last one that was
 * summed, and today so far. Deletes the salts of ended days, and what the store need not keep.
 */
export async function rollUpDue(ctx: RollupContext, hasRoom: () => boolean): Promise<void> {
  const now = ctx.now();
  for (const { timeZone, closedDay } of await zonesInUse(ctx)) {
    const today = zonedDay(timeZone, now);
    for (let day = (closedDay ?? today - 2) + 1; day <= today && hasRoom(); day += 1) {
      await rollUpDay(ctx, { timeZone, day });
      if (timeZone === TIME_ZONE) await sumPlatformDay(ctx, { day });
      // A point takes a while until a query sees it.
      const isOver = startOfZonedDay(timeZone, day + 1) + HOUR_MS <= now;
      if (isOver) await closeDay(ctx, { timeZone, day });
    }
  }
  await forgetSalts(ctx);
  await ctx.views.forget(now - POINTS_RETENTION_DAYS * DAY_MS);
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

type ZoneProgress = { timeZone: string; closedDay: DayNumber | null };

/** The zones of the creators, São Paulo first, with the last day that was closed there. */
function zonesInUse(ctx: RollupContext): Promise<ZoneProgress[]> {
  return ctx.db.all<ZoneProgress>(sql`
    SELECT zones.time_zone AS timeZone, p.closed_day AS closedDay FROM (
      SELECT ${TIME_ZONE} AS time_zone, 0 AS place
      UNION SELECT DISTINCT h.time_zone, 1 FROM notification_hours h
      WHERE h.time_zone <> ${TIME_ZONE} AND EXISTS (SELECT 1 FROM profiles c WHERE c.person_id = h.person_id AND c.is_creator = 1)
    ) zones LEFT JOIN analytics_progress p ON p.time_zone = zones.time_zone ORDER BY zones.place, 1`);
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
      await rollUpDay(ctx, { timeZone, day });
      if (timeZone === TIME_ZONE) await sumPlatformDay(ctx, { day });
      made += 1;
    }
  }
  return made;
}

/** Has the cron sum the days from `from` on again. A day in the future changes nothing. */
export async function requestRebuild(
  ctx: RollupContext,
  { from }: { from: DayNumber },
): Promise<void> {
  await ctx.db.run(
    sql`UPDATE analytics_progress SET closed_day = ${from - 1} WHERE closed_day >= ${from}`,
  );
}
