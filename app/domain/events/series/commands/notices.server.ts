import { and, eq, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { nameOf } from "#app/domain/events/commands/change-notices.server.ts";
import { announceDatesStatement } from "#app/domain/events/attendees/commands.server.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import type { AnnouncedChange } from "#app/domain/events/rules.ts";
import { seriesById } from "#app/domain/events/series/queries.server.ts";
import { eventSeries } from "#drizzle/schema/events.ts";

type OfChange = { seriesId: string; version: number };

/**
 * Returns what records, in the batch that changes a date, that its people are to be told. Stale
 * when the change of the series is over.
 */
export const gatherIn =
  (ctx: Context, { eventId, ...change }: OfChange & { eventId: string }) =>
  (changed: AnnouncedChange[]): BatchWrite[] => [
    mustChangeOne(
      ctx.db
        .update(eventSeries)
        .set({
          change: sql`json_insert(event_series.change, '$.announced', json('[]'), '$.announced[#]', json(${JSON.stringify({ id: eventId, changed })}))`,
        })
        .where(isChange(change)),
    ),
  ];

/**
 * Tells each person once of all their dates that a change reached and that are not told of yet, and
 * with `isDone` ends the change. Of two runs at once one tells.
 */
export async function notifyGathered(
  ctx: Context,
  { seriesId, version, isDone }: OfChange & { isDone: boolean },
): Promise<void> {
  const series = await seriesById(ctx, { seriesId });
  if (!series?.change || series.version !== version) return;
  const { announced = [], sourceId } = series.change;
  const source = await editableEvent(ctx, { eventId: sourceId, creatorId: series.creatorId });
  const [first] = announced;
  const changed = [...new Set(announced.flatMap((one) => one.changed))];
  const ids = JSON.stringify(announced.map(({ id }) => id));
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(eventSeries)
          .set({ change: isDone ? null : sql`json_remove(event_series.change, '$.announced')` })
          .where(
            and(
              isChange({ seriesId, version }),
              sql`COALESCE(json_array_length(event_series.change, '$.announced'), 0) = ${announced.length}`,
            ),
          ),
      ),
      ...(first && source
        ? [
            announceDatesStatement<"event.changed">(
              ctx,
              {
                type: "event.changed",
                eventTitle: source.title,
                creatorId: series.creatorId,
                creatorName: await nameOf(ctx, series),
                place: source.place,
                changed,
              },
              {
                key: `series:${seriesId}:changed:${version}:${first.id}`,
                which: sql`(events.id IN (SELECT one.value FROM json_each(${ids}) one) AND events.status = 'published')`,
              },
            ),
          ]
        : []),
    ]);
  } catch (error) {
    // Another run told, or reached a date meanwhile.
    if (!(error instanceof StaleWrite)) throw error;
  }
}

const isChange = ({ seriesId, version }: OfChange) =>
  and(
    eq(eventSeries.id, seriesId),
    eq(eventSeries.version, version),
    sql`event_series.change IS NOT NULL`,
  );
