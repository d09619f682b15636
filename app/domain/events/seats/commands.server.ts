import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit, guardStatement, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite } from "#app/db/errors.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { eventListableTo, eventOpenTo } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  EventNotFound,
  NoSeat,
  NoTicketKind,
  NotWaiting,
  PaymentIsRunning,
  TooManyListChanges,
  TooManySeats,
} from "#app/domain/events/errors.ts";
import { moveWaitingListQuietly } from "#app/domain/events/waiting-list/commands.server.ts";
import { eventFor } from "#app/domain/events/queries.server.ts";
import { livingOffer, seatProblem, waitingProblem } from "#app/domain/events/rules.ts";
import {
  answersStatements,
  refuseUnanswered,
} from "#app/domain/events/questions/commands/answers.server.ts";
import type { Answer } from "#app/domain/events/questions/rules.ts";
import type { EventMessage } from "#app/domain/events/schema/outbox.ts";
import { kindProblem } from "#app/domain/events/rules/tickets.ts";
import type { TicketKind } from "#app/domain/events/rules/tickets.ts";
import type { EventView } from "#app/domain/events/schema.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { countAction, rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { randomToken } from "#app/lib/secrets.ts";
import { ticketCodeFromHex } from "#app/lib/ticket-code.ts";
import { eventSeats, eventWaiting } from "#drizzle/schema/events.ts";

/** More in an hour come from a machine: each is an email, and each canceled seat keeps its row. */
const SEATS: readonly RateLimit[] = [{ windowMs: HOUR_MS, limit: 60 }];

/** Who leaves a list may join it again; more in an hour come from a machine. */
const LISTS: readonly RateLimit[] = [{ windowMs: HOUR_MS, limit: 60 }];

type PersonAtEvent = { eventId: string; personId: string };

/** What a person fills in for seats that are not paid for. */
export type SeatChoice = PersonAtEvent & {
  quantity: number;
  /** Null where the event has no kinds of tickets. */
  kindId?: string | null;
  /** For the first of the tickets; the others are in the person's own name. */
  names?: readonly string[];
  /** To the questions of the event. */
  answers?: readonly Answer[];
};

/**
 * Takes `quantity` free seats of an event for a person, who gets a ticket for each and an email.
 * `names` are for the first of them; the others are in the person's own name. Uses their offer of
 * the waiting list, if they have one; otherwise nobody may wait before them. They leave the waiting
 * list. Refuses EventNotFound, NoSeat with its reason, and TooManySeats (60 an hour),
 * QuestionUnanswered, and NoTicketKind: where the event has kinds of tickets, `kindId` is a free
 * one of them.
 *
 * INVARIANT: seats taken, held by payments and offered are never more than the capacity. Each seat
 * is one INSERT whose condition holds only while a seat is left, inside one batch: of two people
 * who want the last seat, the second batch is refused whole. A trigger counts, and refuses a count
 * above the capacity as well.
 */
export async function takeSeats(
  ctx: Context,
  { quantity, kindId = null, names = [], answers = [], ...who }: SeatChoice,
): Promise<void> {
  const counted = { act: "event.seat", personId: who.personId, limits: SEATS };
  await retryOnConflict(async () => {
    const event = await eventToChooseAt(ctx, who);
    const kind = freeKind(event, kindId);
    const problem =
      seatProblem(event, quantity, ctx.now()) ?? (kind && kindProblem(kind, quantity, ctx.now()));
    if (problem) throw new NoSeat(problem);
    refuseOtherKind(event, kindId);
    refuseUnanswered(event.questions, answers);
    try {
      await commit(ctx.db, [
        ...rateLimitStatements(ctx, counted),
        ...takingStatements(ctx, event, { ...who, quantity, kindId, names, answers }),
      ]);
    } catch (error) {
      throw error instanceof RuleViolation && error.rule === "event_full"
        ? new StaleWrite()
        : error;
    }
  }).catch(async (error: unknown) => {
    throw error instanceof StaleWrite && (await rateLimitResetAt(ctx, counted)) > ctx.now()
      ? new TooManySeats()
      : error;
  });
  // Seats of an offer that the person did not take go to the next.
  await moveWaitingListQuietly(ctx, who);
}

/**
 * Reads the event at which a person chooses seats. Refuses EventNotFound, and PaymentIsRunning
 * until their payment is over.
 */
export async function eventToChooseAt(
  ctx: Context,
  { eventId, personId }: PersonAtEvent,
): Promise<EventView> {
  const event = await eventFor(ctx, { eventId, viewerId: personId });
  if (!event) throw new EventNotFound();
  if (event.payment) throw new PaymentIsRunning(event.payment);
  return event;
}

/** An approved request is for its own kind of ticket. Refuses NoSeat for another. */
export function refuseOtherKind({ needsApproval, request }: EventView, kindId: string | null) {
  const approved = needsApproval && request?.status === "approved" ? request.kindId : null;
  if (approved !== null && approved !== kindId) throw new NoSeat("approval");
}

/** The kind that a person chose; null where the event has none. A paid kind is bought instead. */
function freeKind(event: EventView, kindId: string | null): TicketKind | null {
  if (!event.hasKinds && kindId === null) return null;
  const kind = event.ticketKinds.find(({ id }) => id === kindId);
  if (event.isOffSale) throw new NoSeat("off_sale");
  if (!kind || kind.priceCents > 0) throw new NoTicketKind();
  return kind;
}

function takingStatements(
  ctx: Context,
  event: EventView,
  { eventId, personId, quantity, kindId, names, answers }: Required<SeatChoice>,
): BatchWrite[] {
  const answered = answersStatements(ctx, { eventId, personId, answers });
  const { answersId } = answered;
  const given = { eventId, personId, quantity, kindId, names, answersId };
  return [
    ...answered.writes,
    ...seatStatements(ctx, event, given),
    announce<EventMessage>(ctx, `event:${eventId}:seat:${personId}:${ctx.newId()}`, {
      type: "event.seat_taken",
      personId,
      eventId,
      eventTitle: event.title,
      creatorId: event.creatorId,
      creatorName: event.creatorName,
      startsAt: event.startsAt,
      timeZone: event.timeZone,
      place: event.place,
      quantity,
    }),
  ];
}

/**
 * Builds the statements that give a person free seats, each with a code of its own, and take them
 * off the waiting list. Stale where a seat is not free any more. `isApproved`: the creator approved
 * their request, so that they need no offer and pass who waits.
 */
export function seatStatements(
  ctx: Context,
  event: EventView,
  {
    eventId,
    personId,
    quantity,
    kindId,
    names,
    answersId,
    isApproved = false,
  }: PersonAtEvent & {
    quantity: number;
    kindId: string | null;
    names: readonly string[];
    answersId: string | null;
    isApproved?: boolean;
  },
): BatchWrite[] {
  const now = ctx.now();
  const offered = Math.min(livingOffer(event, now), quantity);
  const isTheirs = and(eq(eventWaiting.eventId, eventId), eq(eventWaiting.personId, personId));
  const leaving = ctx.db.delete(eventWaiting);
  const offer = sql`${eventWaiting.offerEndsAt} > ${now} AND ${eventWaiting.offeredQuantity} >= ${offered}`;
  const seatIds = Array.from({ length: quantity }, () => ctx.newId());
  return [
    // Whoever gets a seat leaves the list, and what was held for them is free in this batch.
    offered > 0 ? mustChangeOne(leaving.where(and(isTheirs, offer))) : leaving.where(isTheirs),
    ...seatIds.map((id, index) =>
      mustChangeOne(
        ctx.db
          .insert(eventSeats)
          .select(
            sql`SELECT ${id}, ${eventId}, ${personId}, 'taken', ${ticketCodeFromHex(randomToken())}, CAST(${now} AS INTEGER), NULL, NULL, NULL, ${kindId}, NULL, ${names[index] ?? null}, ${answersId}, NULL FROM events WHERE events.id = ${eventId} AND ${canTakeOne(ctx, { personId, kindId, isFirst: isApproved || index < offered })}`,
          ),
      ),
    ),
  ];
}

/** The condition of one seat, on the row of `events` as it is when the statement runs. */
function canTakeOne(
  ctx: Context,
  { personId, kindId, isFirst }: { personId: string; kindId: string | null; isFirst: boolean },
): SQL {
  const now = ctx.now();
  const ofEvent = sql`SELECT 1 FROM event_ticket_kinds kind WHERE kind.event_id = events.id`;
  const isFreeKind =
    kindId === null
      ? sql`NOT EXISTS (${ofEvent})`
      : sql`EXISTS (${ofEvent} AND kind.id = ${kindId} AND kind.price_cents = 0 AND kind.retired_at IS NULL AND (kind.sale_starts_at IS NULL OR kind.sale_starts_at <= ${now})
          AND (kind.sale_ends_at IS NULL OR kind.sale_ends_at > ${now}) AND (kind.capacity IS NULL OR kind.capacity - kind.seats_taken - kind.seats_held >= 1))`;
  const hasTurn = isFirst
    ? sql`1`
    : sql`(events.needs_approval = 0 AND (events.capacity IS NULL OR events.waiting_count = 0 OR events.starts_at <= ${now}))`;
  return sql`events.status = 'published' AND events.ends_at > ${now}
    AND (events.capacity IS NULL OR events.capacity - events.seats_taken - events.seats_held - events.seats_offered >= 1) AND ${hasTurn} AND ${isFreeKind}
    AND (SELECT COUNT(*) FROM event_seats own WHERE own.person_id = ${personId} AND own.status = 'taken' AND own.event_id = events.id)
      + COALESCE((SELECT SUM(paying.quantity) FROM event_orders paying WHERE paying.event_id = events.id AND paying.person_id = ${personId} AND paying.status = 'held'), 0) < events.max_per_person
    AND ${eventListableTo(personId, ctx.settings.adultSpaces)} AND ${eventOpenTo(personId, now)}`;
}

/**
 * Puts a person at the end of the waiting list, for `quantity` seats. Keeps their place if they are
 * in it already, and changes the number. Refuses EventNotFound, NotWaiting (with free seats nobody
 * waits) and TooManyListChanges (60 an hour).
 */
export async function joinWaitingList(
  ctx: Context,
  { quantity, ...who }: PersonAtEvent & { quantity: number },
): Promise<void> {
  await countAction(
    ctx,
    { act: "event.list", personId: who.personId, limits: LISTS },
    () => new TooManyListChanges(),
  );
  await retryOnConflict(async () => {
    const event = await eventToChooseAt(ctx, who);
    if (livingOffer(event, ctx.now()) > 0) return;
    const problem = waitingProblem(event, quantity, ctx.now());
    if (problem && !(problem === "not_full" && event.isWaiting)) throw new NotWaiting(problem);
    await commit(ctx.db, [
      guardStatement(
        ctx.db,
        sql`EXISTS (SELECT 1 FROM events WHERE events.id = ${who.eventId} AND events.status = 'published' AND events.starts_at > ${ctx.now()} AND events.needs_approval = 0
          AND ${quantity} + (SELECT COUNT(*) FROM event_seats own WHERE own.person_id = ${who.personId} AND own.status = 'taken' AND own.event_id = events.id) <= events.max_per_person
          AND ${eventListableTo(who.personId, ctx.settings.adultSpaces)} AND ${eventOpenTo(who.personId, ctx.now())})`,
      ),
      ctx.db
        .insert(eventWaiting)
        .values({ ...who, quantity, joinedAt: ctx.now() })
        .onConflictDoUpdate({
          target: [eventWaiting.eventId, eventWaiting.personId],
          // Whoever let an offer end begins again at the end of the list.
          set: {
            quantity,
            joinedAt: sql`CASE WHEN ${eventWaiting.offerEndsAt} IS NULL THEN ${eventWaiting.joinedAt} ELSE CAST(${ctx.now()} AS INTEGER) END`,
            offeredQuantity: 0,
            offerEndsAt: null,
          },
          setWhere: sql`${eventWaiting.offerEndsAt} IS NULL OR ${eventWaiting.offerEndsAt} <= ${ctx.now()}`,
        }),
    ]);
  });
  // A seat that was freed since the read is offered at once.
  await moveWaitingListQuietly(ctx, who);
}

/** Takes a person out of the waiting list. What was offered to them goes on. Safe to repeat. */
export async function leaveWaitingList(ctx: Context, who: PersonAtEvent): Promise<void> {
  await commit(ctx.db, [
    ctx.db
      .delete(eventWaiting)
      .where(and(eq(eventWaiting.eventId, who.eventId), eq(eventWaiting.personId, who.personId))),
  ]);
  await moveWaitingListQuietly(ctx, who);
}
