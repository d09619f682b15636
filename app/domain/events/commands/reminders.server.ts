import { and, eq, isNull } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { announceToPeopleStatement } from "#app/domain/events/attendees/commands.server.ts";
import { reminderStamps, remindedEvent } from "#app/domain/events/queries/due.server.ts";
import type { Reminder } from "#app/domain/events/queries/due.server.ts";
import { linkOpensAt } from "#app/domain/events/rules/link.ts";
import { REMINDERS } from "#app/domain/events/rules.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { events } from "#drizzle/schema/events.ts";

/**
 * Reminds everybody with a seat, once for each time to which the event was moved. Safe to repeat.
 * Where both reminders are due at once, the one of the day is left out.
 */
export async function remindOf(
  ctx: Context,
  { eventId, ahead }: { eventId: string; ahead: Reminder },
): Promise<void> {
  const event = await remindedEvent(ctx, { eventId });
  if (!event) return;
  const { startsAt } = event;
  const isLate = ahead === "day" && startsAt - ctx.now() <= REMINDERS.start;
  try {
    await commit(ctx.db, [
      mustChangeOne(markStatement(ctx, { eventId, ahead, startsAt })),
      ...(isLate
        ? []
        : [
            announceToPeopleStatement<"event.reminded">(
              ctx,
              {
                type: "event.reminded",
                eventId,
                eventTitle: event.title,
                creatorId: event.creatorId,
                creatorName: event.creatorName,
                startsAt,
                timeZone: event.timeZone,
                place: event.place,
                ahead,
                hasLink: event.link !== null,
                linkOpensAt: linkOpensAt(event, ctx.now()),
                minutes: Math.max(1, Math.ceil((startsAt - ctx.now()) / MINUTE_MS)),
              },
              { key: `event:${eventId}:reminded:${ahead}:${startsAt}` },
            ),
          ]),
    ]);
  } catch (error) {
    // Another run did it, or the event moved.
    if (!(error instanceof StaleWrite)) throw error;
  }
}

function markStatement(
  ctx: Context,
  { eventId, ahead, startsAt }: { eventId: string; ahead: Reminder; startsAt: Instant },
) {
  return ctx.db
    .update(events)
    .set(ahead === "day" ? { dayReminderAt: ctx.now() } : { startReminderAt: ctx.now() })
    .where(
      and(
        eq(events.id, eventId),
        eq(events.status, "published"),
        eq(events.startsAt, startsAt),
        isNull(reminderStamps[ahead]),
      ),
    );
}
