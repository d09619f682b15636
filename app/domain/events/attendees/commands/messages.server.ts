import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announceToPeopleStatement } from "#app/domain/events/attendees/commands.server.ts";
import {
  EventCanceled,
  EventNotFound,
  NobodyComes,
  TooManyEventMessages,
} from "#app/domain/events/errors.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import { countAction } from "#app/domain/rate-limits/commands.server.ts";
import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";

/** Each is an email to everybody who comes. */
const MESSAGES: readonly RateLimit[] = [{ windowMs: DAY_MS, limit: 5 }];

/**
 * Sends a message to everybody with a seat, once each: in the product, by email and as a push, as
 * they chose. The same `messageId` again sends nothing. Refuses EventNotFound, EventCanceled,
 * NobodyComes and TooManyEventMessages (5 a day for one event).
 */
export async function messageAttendees(
  ctx: Context,
  {
    eventId,
    creatorId,
    messageId,
    text,
  }: { eventId: string; creatorId: string; messageId: string; text: string },
): Promise<void> {
  const event = await editableEvent(ctx, { eventId, creatorId });
  if (!event) throw new EventNotFound();
  if (event.status === "canceled") throw new EventCanceled();
  if (event.seatsTaken === 0) throw new NobodyComes();
  await countAction(
    ctx,
    { act: `event.message:${eventId}`, personId: creatorId, limits: MESSAGES },
    () => new TooManyEventMessages(),
  );
  const creator = await profileOfPerson(ctx, { personId: creatorId });
  await commit(ctx.db, [
    announceToPeopleStatement<"event.message_sent">(
      ctx,
      {
        type: "event.message_sent",
        eventId,
        eventTitle: event.title,
        creatorId,
        creatorName: creator?.name ?? "",
        text,
      },
      { key: `event:${eventId}:message:${messageId}` },
    ),
  ]);
}
