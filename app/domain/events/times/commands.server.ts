import { and, eq } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { movedEventStatements } from "#app/domain/events/waiting-list/commands/moving.server.ts";
import { futureEventsOfZone } from "./queries.server.ts";
import { zoneOffsetMs } from "#app/domain/events/times/rules/wall-time.ts";
import type { OffsetOf } from "#app/domain/events/times/rules/wall-time.ts";
import { timesByRules, wallsOf, zoneRulesText } from "#app/domain/events/times/rules/zone-rules.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { events, eventZones } from "#drizzle/schema/events.ts";

const PAGE = 50;
/** Writes of one call: a larger zone goes on in the next run of the step. */
const WRITES_PER_CALL = 200;

/**
 * Checks whether the clock rules of a zone changed since its events were calculated. If so, moves
 * each event that has not started to the instant of its wall time, a page at a time: it keeps its
 * hour. Reminders that were not sent follow, those that were are not repeated; a moved event's
 * calendar entry gets another SEQUENCE. Writes no event whose instants stay, and tells nobody: on
 * the clock nothing moved. Safe to repeat. `offsetOf` gives the rules.
 */
export async function checkZone(
  ctx: Context,
  { zone, offsetOf = zoneOffsetMs }: { zone: string; offsetOf?: OffsetOf },
): Promise<void> {
  const saved = await ctx.db.select().from(eventZones).where(eq(eventZones.zone, zone)).get();
  if (!saved) return;
  const thisYear = new Date(ctx.now()).getUTCFullYear();
  const isChanged =
    saved.year === null || saved.rules !== zoneRulesText(zone, saved.year, offsetOf);
  let cursor =
    saved.cursorAt === null || isChanged
      ? { at: ctx.now(), id: "" }
      : { at: saved.cursorAt, id: saved.cursorId ?? "" };
  if (isChanged || saved.cursorAt !== null) {
    // The rules first: a check that is interrupted goes on from its cursor.
    await zoneStatement(ctx, zone, {
      year: thisYear,
      rules: zoneRulesText(zone, thisYear, offsetOf),
      cursorAt: cursor.at,
      cursorId: cursor.id,
    });
    for (let writes = 0; ;) {
      const page = await futureEventsOfZone(ctx, { zone, after: cursor, limit: PAGE });
      for (const event of page) writes += await shiftToWallHour(ctx, event, offsetOf);
      const last = page.at(-1);
      if (!last || page.length < PAGE) break;
      cursor = { at: last.startsAt, id: last.id };
      await zoneStatement(ctx, zone, { cursorAt: cursor.at, cursorId: cursor.id });
      if (writes >= WRITES_PER_CALL) return;
    }
  }
  await zoneStatement(ctx, zone, {
    checkedAt: ctx.now(),
    cursorAt: null,
    cursorId: null,
    ...(saved.year === thisYear
      ? {}
      : { year: thisYear, rules: zoneRulesText(zone, thisYear, offsetOf) }),
  });
}

const zoneStatement = (ctx: Context, zone: string, set: Partial<typeof eventZones.$inferInsert>) =>
  ctx.db.update(eventZones).set(set).where(eq(eventZones.zone, zone));

type Found = Awaited<ReturnType<typeof futureEventsOfZone>>[number];

/** Returns how many writes it took: none where the instants stay. */
async function shiftToWallHour(ctx: Context, event: Found, offsetOf: OffsetOf): Promise<number> {
  const { startsAt, endsAt } = timesByRules(event, offsetOf);
  // A wall time has no seconds.
  const isMoved =
    Math.abs(startsAt - event.startsAt) >= MINUTE_MS ||
    Math.abs(endsAt - event.endsAt) >= MINUTE_MS;
  if (!isMoved && event.startsWall !== null) return 0;
  const change = isMoved
    ? { startsAt, endsAt, revision: event.revision + 1, updatedAt: ctx.now() }
    : wallsOf(event);
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(events)
          .set(change)
          .where(and(eq(events.id, event.id), eq(events.revision, event.revision))),
      ),
      ...(isMoved ? movedEventStatements(ctx, { eventId: event.id, startsAt, endsAt }) : []),
    ]);
    if (isMoved)
      ctx.log("events.kept_hour", { eventId: event.id, movedMs: startsAt - event.startsAt });
  } catch (error) {
    // It was edited meanwhile, by the rules of now.
    if (!(error instanceof StaleWrite)) throw error;
  }
  return 1;
}
