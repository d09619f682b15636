import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announceToPeopleStatement } from "#app/domain/events/attendees/commands.server.ts";
import { TooManyChanges } from "#app/domain/events/errors.ts";
import type { EditableEvent } from "#app/domain/events/queries/editable.server.ts";
import { announcedChanges } from "#app/domain/events/rules.ts";
import type { AnnouncedChange } from "#app/domain/events/rules.ts";
import type { EventInput } from "#app/domain/events/schema.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import { countAction } from "#app/domain/rate-limits/commands.server.ts";
import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";

type OwnEvent = { eventId: string; creatorId: string };

/** Changes of time, place or link, each of which is an email to everybody who comes. */
const CHANGES: readonly RateLimit[] = [{ windowMs: DAY_MS, limit: 20 }];

/**
 * Builds the statements that tell who comes and who waits of another time, place or link; none for
 * a draft, or where nothing of these changed. Refuses TooManyChanges (20 a day), unless the change
 * is part of one that was counted.
 */
export async function changeNotices(
  ctx: Context,
  {
    eventId,
    creatorId,
    revision,
    isCounted,
    gather,
  }: OwnEvent & {
    revision: number;
    isCounted: boolean;
    /** Builds what records the change instead, for one message of several dates. */
    gather?: ((changed: AnnouncedChange[]) => BatchWrite[]) | undefined;
  },
  saved: EditableEvent,
  input: EventInput,
): Promise<BatchWrite[]> {
  const changed = announcedChanges(saved, input);
  if (saved.status !== "published" || changed.length === 0) return [];
  if (isCounted)
    await countAction(
      ctx,
      { act: "event.change", personId: creatorId, limits: CHANGES },
      () => new TooManyChanges(),
    );
  if (gather) return gather(changed);
  return [
    announceToPeopleStatement<"event.changed">(
      ctx,
      {
        type: "event.changed",
        eventId,
        eventTitle: input.title,
        creatorId,
        creatorName: await nameOf(ctx, { creatorId }),
        startsAt: input.startsAt,
        endsAt: input.endsAt,
        timeZone: input.timeZone,
        place: input.place,
        changed,
        dates: [],
      },
      { key: `event:${eventId}:changed:${revision + 1}`, andWaiting: true },
    ),
  ];
}

/** Reads the name of a creator, as messages write it. */
export async function nameOf(ctx: Context, { creatorId }: { creatorId: string }): Promise<string> {
  return (await profileOfPerson(ctx, { personId: creatorId }))?.name ?? "";
}
