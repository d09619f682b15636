import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { changeNotices, nameOf } from "#app/domain/events/commands/change-notices.server.ts";
import { effectiveCapacityStatement } from "#app/domain/events/capacity/commands.server.ts";
import { refundRuleStatements } from "#app/domain/events/tickets/commands/orders.server.ts";
import { announceToPeopleStatement } from "#app/domain/events/attendees/commands.server.ts";
import { movedEventStatements } from "#app/domain/events/waiting-list/commands/moving.server.ts";
import { livingEvent } from "#app/domain/events/dates/commands/living.server.ts";
import { moveWaitingListQuietly } from "#app/domain/events/waiting-list/commands.server.ts";
import {
  CapacityBelowSeats,
  EventCanceled,
  EventChangedElsewhere,
  EventInPast,
  EventIsPublished,
  EventNeedsPage,
  EventNotFound,
  EventNotPublished,
  EventOver,
  EventTooFar,
  TooManyEvents,
  UnknownEventPlan,
} from "./errors.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import type { EditableEvent } from "#app/domain/events/queries/editable.server.ts";
import { announcedChanges, timesProblem } from "./rules.ts";
import type { AnnouncedChange } from "./rules.ts";
import { wallsOf } from "#app/domain/events/times/rules/zone-rules.ts";
import type { EventInput } from "./schema.ts";
import {
  copyKindsStatement,
  draftSeatsStatements,
} from "#app/domain/events/dates/commands.server.ts";
import { coverStatements, preparedCover } from "#app/domain/media/commands/covers.server.ts";
import { plansOfCreator } from "#app/domain/plans/queries.server.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { quoted } from "#app/domain/text.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { eventRequests } from "#drizzle/schema/events-people.ts";
import { events, eventSeries, eventTicketKinds, eventWaiting } from "#drizzle/schema/events.ts";

type OwnEvent = { eventId: string; creatorId: string };

/** More in a day come from a machine. */
const CREATIONS: readonly RateLimit[] = [{ windowMs: DAY_MS, limit: 100 }];

/**
 * Creates an event as a draft and returns its id. `more` builds what joins its batch. Refuses
 * EventNeedsPage, EventInPast, EventTooFar (3 years), UnknownEventPlan, TooManyEvents (100 a day)
 * and an invalid cover.
 */
export async function createEvent(
  ctx: Context,
  { creatorId, ...input }: EventInput & { creatorId: string },
  more: (eventId: string) => BatchWrite[] = () => [],
): Promise<{ eventId: string }> {
  const creator = await profileOfPerson(ctx, { personId: creatorId });
  if (!creator?.isCreator) throw new EventNeedsPage();
  refuseTimes(ctx, input);
  await refuseUnknownPlans(ctx, { creatorId, planIds: input.planIds });
  const eventId = ctx.newId();
  const prepared = await preparedCover(ctx, coverOf(creatorId, input));
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, { act: "event.create", personId: creatorId, limits: CREATIONS }),
      ctx.db.insert(events).values({
        id: eventId,
        creatorId,
        ...contentOf(input),
        capacity: input.capacity,
        status: "draft",
        createdAt: ctx.now(),
        updatedAt: ctx.now(),
      }),
      ...coverStatements(ctx, {
        ...coverOf(creatorId, input),
        removesCover: false,
        prepared,
        currentMediaId: null,
        shown: (mediaId) => coverStatement(ctx, { eventId, creatorId }, mediaId),
      }),
      ...more(eventId),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new TooManyEvents() : error;
  }
  return { eventId };
}

type UpdateOptions = {
  more?: BatchWrite[];
  isCounted?: boolean;
  gather?: (changed: AnnouncedChange[]) => BatchWrite[];
};

/**
 * Changes an event that was read with `revision`. People with a seat, and who waits for one, are
 * told once of another time, place or link. A raised capacity goes to the waiting list first. Who
 * waits keeps their place when approval is turned on: it is for who comes later. Refuses
 * EventNotFound, EventCanceled, EventOver, EventChangedElsewhere, CapacityBelowSeats,
 * TooManyChanges (20 announced a day), and what `createEvent` does. `more` joins the batch; a
 * change with `isCounted: false` is part of one that was counted, and `gather` records instead of
 * telling.
 */
export async function updateEvent(
  ctx: Context,
  { eventId, creatorId, revision, ...input }: EventInput & OwnEvent & { revision: number },
  { more = [], isCounted = true, gather }: UpdateOptions = {},
): Promise<void> {
  const saved = await livingEvent(ctx, { eventId, creatorId });
  refuseTimes(ctx, input);
  await refuseUnknownPlans(ctx, { creatorId, planIds: input.planIds });
  const prepared = await preparedCover(ctx, coverOf(creatorId, input));
  const isAsRead = and(
    eq(events.id, eventId),
    eq(events.creatorId, creatorId),
    eq(events.revision, revision),
    sql`${events.status} <> 'canceled'`,
  );
  const isMoved = saved.startsAt !== input.startsAt;
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(events)
          .set({
            ...contentOf(input),
            revision: revision + 1,
            updatedAt: ctx.now(),
            ...(isMoved ? { dayReminderAt: null, startReminderAt: null } : {}),
            ...(isElsewhere(saved, input) ? { movedAt: ctx.now() } : {}),
          })
          .where(isAsRead),
      ),
      effectiveCapacityStatement(ctx, { eventId }),
      ...refundRuleStatements(ctx, { eventId, refundHours: input.refundHours }),
      ...coverStatements(ctx, {
        ...coverOf(creatorId, input),
        prepared,
        currentMediaId: saved.coverMediaId,
        shown: (mediaId) => coverStatement(ctx, { eventId, creatorId }, mediaId),
      }),
      ...(isMoved || saved.endsAt !== input.endsAt
        ? movedEventStatements(ctx, { eventId, ...input })
        : []),
      ...more,
      ...(await changeNotices(
        ctx,
        { eventId, creatorId, revision, isCounted, gather },
        saved,
        input,
      )),
    ]);
  } catch (error) {
    throw await changeRefusal(ctx, error, { eventId, creatorId, capacity: input.capacity });
  }
  await moveWaitingListQuietly(ctx, { eventId });
}

/**
 * Publishes a draft, so that people see it and take seats: of a repeating event all its dates,
 * which get the kinds of tickets of this one. Safe to repeat. Refuses as a change.
 */
export async function publishEvent(ctx: Context, own: OwnEvent): Promise<void> {
  const saved = await livingEvent(ctx, own);
  if (saved.status === "published") return;
  refuseTimes(ctx, saved);
  const { seriesId } = saved;
  const source = seriesId === null ? null : { seriesId, sourceId: own.eventId };
  await commit(ctx.db, [
    ...(source
      ? [
          copyKindsStatement(ctx, { ...source, isMade: sql`made.status = 'draft'` }),
          ...draftSeatsStatements(ctx, source),
        ]
      : []),
    ctx.db
      .update(events)
      .set({ status: "published", publishedAt: ctx.now(), updatedAt: ctx.now() })
      .where(
        and(
          source ? and(isOwnDate(own, source), gt(events.endsAt, ctx.now())) : isOwn(own),
          eq(events.status, "draft"),
        ),
      ),
  ]);
}

/**
 * Cancels an event for good, and tells everybody who has a seat or waits for one. Their seats stay,
 * so that calendars show the event as canceled; its waiting list and its requests end. Everybody
 * who paid is refunded whole: a trigger marks their purchases, and the next run of
 * `purchases.close` refunds. A payment on its way is refunded when it arrives. Safe to repeat.
 * Refuses EventNotFound, EventNotPublished for a draft, which nobody else may ever see, and
 * EventOver.
 */
export async function cancelEvent(ctx: Context, own: OwnEvent): Promise<void> {
  const saved = await editableEvent(ctx, own);
  if (!saved) throw new EventNotFound();
  if (saved.status === "canceled") return;
  if (saved.status === "draft") throw new EventNotPublished();
  if (saved.endsAt <= ctx.now()) throw new EventOver();
  const { title: eventTitle, startsAt, timeZone } = saved;
  const notice = announceToPeopleStatement<"event.canceled">(
    ctx,
    {
      type: "event.canceled",
      eventId: own.eventId,
      eventTitle,
      creatorId: own.creatorId,
      creatorName: await nameOf(ctx, own),
      startsAt,
      timeZone,
      dates: [],
    },
    { key: `event:${own.eventId}:canceled`, andWaiting: true },
  );
  await commit(ctx.db, [
    ctx.db
      .update(events)
      .set({
        status: "canceled",
        canceledAt: ctx.now(),
        updatedAt: ctx.now(),
        revision: sql`${events.revision} + 1`,
      })
      .where(and(isOwn(own), eq(events.status, "published"))),
    notice,
    ctx.db.delete(eventWaiting).where(eq(eventWaiting.eventId, own.eventId)),
    ctx.db
      .delete(eventRequests)
      .where(and(eq(eventRequests.eventId, own.eventId), eq(eventRequests.status, "waiting"))),
  ]);
}

/**
 * Deletes a draft, and of a repeating event all its drafts. Refuses EventNotFound and
 * EventIsPublished, which is canceled instead.
 */
export async function deleteDraft(ctx: Context, own: OwnEvent): Promise<void> {
  const saved = await editableEvent(ctx, own);
  if (!saved) throw new EventNotFound();
  if (saved.status !== "draft") throw new EventIsPublished();
  const { seriesId } = saved;
  const isDraft = and(
    seriesId === null ? isOwn(own) : isOwnDate(own, { seriesId }),
    eq(events.status, "draft"),
  );
  const [, deleted] = await ctx.db.batch([
    ctx.db
      .delete(eventTicketKinds)
      .where(
        inArray(
          eventTicketKinds.eventId,
          ctx.db.select({ id: events.id }).from(events).where(isDraft),
        ),
      ),
    ctx.db.delete(events).where(isDraft).returning({ id: events.id }),
    // Without a date there is nothing of which more could be made.
    ctx.db
      .delete(eventSeries)
      .where(
        sql`${eventSeries.id} = ${seriesId} AND NOT EXISTS (SELECT 1 FROM events one WHERE one.series_id = ${seriesId})`,
      ),
  ]);
  if (deleted.length === 0) throw new EventIsPublished();
}

const isOwn = ({ eventId, creatorId }: OwnEvent) =>
  and(eq(events.id, eventId), eq(events.creatorId, creatorId));

/** A date of the same repeating event. */
const isOwnDate = ({ creatorId }: OwnEvent, { seriesId }: { seriesId: string }) =>
  and(eq(events.seriesId, seriesId), eq(events.creatorId, creatorId));

function refuseTimes(ctx: Context, input: Pick<EventInput, "startsAt" | "endsAt">): void {
  const problem = timesProblem(input, ctx.now());
  if (problem === "past") throw new EventInPast();
  if (problem === "too_far") throw new EventTooFar();
  if (problem) throw new Error(`the form let through an event that is ${problem}`);
}

async function refuseUnknownPlans(
  ctx: Context,
  { creatorId, planIds }: { creatorId: string; planIds: string[] },
): Promise<void> {
  if (planIds.length === 0) return;
  const plans = await plansOfCreator(ctx, { creatorId, states: ["active", "archived"] });
  if (planIds.some((id) => !plans.some((plan) => plan.id === id))) throw new UnknownEventPlan();
}

const contentOf = (input: EventInput) => ({
  title: input.title,
  description: input.description,
  place: input.place,
  link: input.link,
  linkMinutes: input.linkMinutes,
  startsAt: input.startsAt,
  endsAt: input.endsAt,
  ...wallsOf(input),
  timeZone: input.timeZone,
  typedCapacity: input.capacity,
  maxPerPerson: input.maxPerPerson,
  refundHours: input.refundHours,
  access: input.access,
  needsApproval: input.needsApproval,
  planIds: input.planIds,
});

/** Another time or place, for which a ticket was not bought. */
const isElsewhere = (saved: EditableEvent, input: EventInput): boolean =>
  saved.status === "published" &&
  announcedChanges(saved, input).some((change) => change !== "link");

/** Says why a change was refused: too many seats for the new capacity, or another change. */
async function changeRefusal(
  ctx: Context,
  error: unknown,
  { eventId, creatorId, capacity }: OwnEvent & { capacity: number | null },
): Promise<unknown> {
  const isFull = error instanceof RuleViolation && error.rule === "event_full";
  if (!isFull && !(error instanceof StaleWrite)) return error;
  const saved = await editableEvent(ctx, { eventId, creatorId });
  if (!saved) return new EventNotFound();
  if (saved.status === "canceled") return new EventCanceled();
  const seats = saved.seatsTaken + saved.seatsHeld + saved.seatsOffered;
  return isFull && capacity !== null && capacity < seats
    ? new CapacityBelowSeats(seats)
    : new EventChangedElsewhere({ eventId });
}

/** The cover of an event's form. Its default description names the event. */
const coverOf = (ownerId: string, { cover, coverAlt, removesCover, title }: EventInput) => ({
  ownerId,
  cover,
  coverAlt,
  removesCover,
  defaultAlt: `Capa do evento ${quoted(title)}`,
});

const coverStatement = (ctx: Context, own: OwnEvent, mediaId: string | null): BatchWrite =>
  mustChangeOne(ctx.db.update(events).set({ coverMediaId: mediaId }).where(isOwn(own)));
