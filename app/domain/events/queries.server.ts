import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import {
  eventListableTo,
  eventOpenTo,
  isBlockedBetween,
  isHiddenByAge,
  isInTeamAsMember,
  personIdByKey,
  worksForPage,
} from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { linkAt, linkOpensAt } from "#app/domain/events/rules/link.ts";
import type { Answer } from "#app/domain/events/questions/rules.ts";
import type { TicketKind } from "#app/domain/events/rules/tickets.ts";
import type { EventCard, EventView } from "./schema.ts";
import type { Ticket } from "#app/domain/events/attendees/schema.ts";
import { EVENT_DAYS_MAX } from "./rules.ts";
import type { SeatRequest } from "./rules.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { events, eventSeats } from "#drizzle/schema/events.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** Counts the viewer's seats at the event of the row. */
export const ownSeatsSql = (viewerId: string | null): SQL<number> =>
  viewerId === null
    ? sql<number>`0`
    : sql<number>`(SELECT COUNT(*) FROM event_seats own WHERE own.person_id = ${viewerId} AND own.status = 'taken' AND own.event_id = "events"."id")`;

/** The columns of an `EventCard`, for a query that joins `profiles` by the creator. */
export const cardColumns = (viewerId: string | null) => ({
  id: sql<string>`events.id`.as("event_id"),
  title: events.title,
  place: events.place,
  startsAt: events.startsAt,
  endsAt: events.endsAt,
  timeZone: events.timeZone,
  status: sql<EventCard["status"]>`events.status`.as("event_status"),
  capacity: events.capacity,
  priceFromCents: events.priceFromCents,
  seatsTaken: events.seatsTaken,
  seatsHeld: events.seatsHeld,
  seatsOffered: events.seatsOffered,
  creatorName: profiles.name,
  creatorUsername: profiles.username,
  ownSeats: ownSeatsSql(viewerId).as("own_seats"),
});

/**
 * Builds the statement that reads a creator's (id or username) next published events that are not
 * over, soonest first.
 */
export function upcomingEventsOfStatement(
  ctx: Context,
  { creatorKey, viewerId, limit }: { creatorKey: string; viewerId: string | null; limit: number },
) {
  return ctx.db
    .select({
      id: sql<string>`events.id`.as("event_id"),
      title: events.title,
      place: events.place,
      startsAt: events.startsAt,
      endsAt: events.endsAt,
      timeZone: events.timeZone,
    })
    .from(events)
    .where(
      and(
        gt(events.endsAt, ctx.now()),
        // The longest event that may still run; an older one is not read.
        sql`events.starts_at > ${ctx.now()} - ${EVENT_DAYS_MAX * DAY_MS}`,
        sql`events.creator_id = ${personIdByKey(creatorKey)}`,
        sql`events.status = 'published' AND events.held_at IS NULL`,
        sql`NOT ${isBlockedBetween(viewerId, sql`events.creator_id`)}`,
        sql`NOT ${isHiddenByAge(viewerId, sql`events.creator_id`, ctx.settings.adultSpaces)}`,
      ),
    )
    .orderBy(asc(events.startsAt))
    .limit(limit);
}

/** The viewer's request for seats. */
const requestSql = (viewerId: string | null) =>
  sql<SeatRequest | null>`(SELECT json_object('status', asked.status, 'quantity', asked.quantity, 'kindId', asked.ticket_kind_id, 'reply', asked.reply)
    FROM event_requests asked WHERE asked.event_id = "events"."id" AND asked.person_id = ${viewerId})`
    .mapWith((text: string) => JSON.parse(text) as SeatRequest)
    .as("own_request");

/** What an event asks of who takes a seat, and whether it is shown at all. */
const askedColumns = (viewerId: string | null) => ({
  questions: events.questions,
  needsApproval: events.needsApproval,
  heldAt: events.heldAt,
  request: requestSql(viewerId),
});

/** Reads an event as `viewerId` (null for a visitor) sees it now; null if it is hidden from them. */
export async function eventFor(
  ctx: Context,
  { eventId, viewerId }: { eventId: string; viewerId: string | null },
): Promise<EventView | null> {
  const now = ctx.now();
  const { adultSpaces } = ctx.settings;
  const waiting = (column: string): SQL =>
    sql`(SELECT w.${sql.raw(column)} FROM event_waiting w WHERE w.event_id = "events"."id" AND w.person_id = ${viewerId})`;
  const [row] = await ctx.db
    .select({
      ...cardColumns(viewerId),
      creatorId: events.creatorId,
      description: events.description,
      link: events.link,
      linkMinutes: events.linkMinutes,
      access: events.access,
      planIds: events.planIds,
      seriesId: events.seriesId,
      ...askedColumns(viewerId),
      revision: events.revision,
      updatedAt: events.updatedAt,
      maxPerPerson: events.maxPerPerson,
      waitingCount: events.waitingCount,
      ...saleColumns(viewerId),
      coverMediaId: events.coverMediaId,
      coverAlt: sql<
        string | null
      >`(SELECT c.alt FROM media c WHERE c.id = events.cover_media_id)`.as("cover_alt"),
      isOpen: sql<number>`${eventOpenTo(viewerId, now)}`.as("is_open"),
      isTeam: sql<number>`${managesEventsOf(viewerId, sql`events.creator_id`, adultSpaces)}`.as(
        "is_team",
      ),
      joinedAt: sql<Instant | null>`${waiting("joined_at")}`.as("own_joined_at"),
      offeredQuantity: sql<number | null>`${waiting("offered_quantity")}`.as("own_offered"),
      offerEndsAt: sql<Instant | null>`${waiting("offer_ends_at")}`.as("own_offer_ends_at"),
    })
    .from(events)
    .innerJoin(profiles, eq(profiles.personId, events.creatorId))
    .where(and(eq(events.id, eventId), eventListableTo(viewerId, adultSpaces)))
    .limit(1);
  if (!row) return null;
  const {
    coverMediaId,
    coverAlt,
    isTeam,
    joinedAt,
    offeredQuantity,
    offerEndsAt,
    hasKinds,
    isPaid,
    ...event
  } = row;
  const runsIt = event.creatorId === viewerId || isTeam === 1;
  return {
    ...event,
    isOpen: event.isOpen === 1,
    hasKinds: hasKinds === 1,
    isPaid: isPaid === 1,
    isOffSale: hasKinds === 1 && event.ticketKinds.length === 0,
    isWaiting: joinedAt !== null,
    offer:
      offeredQuantity && offerEndsAt !== null
        ? { quantity: offeredQuantity, endsAt: offerEndsAt }
        : null,
    cover: coverMediaId === null ? null : { mediaId: coverMediaId, alt: coverAlt ?? "" },
    isOnline: event.link !== null,
    link: runsIt ? event.link : event.ownSeats > 0 ? linkAt(event, now) : null,
    linkOpensAt: linkOpensAt(event, now),
  };
}

/** The kinds of ticket that are not retired, in the order in which they were made. */
const ticketKindsSql = sql<
  TicketKind[]
>`(SELECT json_group_array(json_object('id', kind.id, 'name', kind.name, 'priceCents', kind.price_cents, 'capacity', kind.capacity, 'seatsTaken', kind.seats_taken,
    'seatsHeld', kind.seats_held, 'saleStartsAt', kind.sale_starts_at, 'saleEndsAt', kind.sale_ends_at))
  FROM (SELECT * FROM event_ticket_kinds made WHERE made.event_id = "events"."id" AND made.retired_at IS NULL ORDER BY made.created_at, made.id) kind)`
  .mapWith((text: string) => JSON.parse(text) as TicketKind[])
  .as("ticket_kinds");

/** The payment that holds seats for the viewer now. */
const runningPaymentSql = (viewerId: string | null) =>
  sql<
    EventView["payment"]
  >`(SELECT json_object('orderId', placed.id, 'chargeId', buying.charge_id, 'quantity', placed.quantity, 'kindId', placed.ticket_kind_id, 'endsAt', charge.expires_at)
    FROM event_orders placed JOIN purchases buying ON buying.target_id = placed.id AND buying.kind = 'event' AND buying.person_id = placed.person_id AND buying.bought_at IS NULL AND buying.ended_at IS NULL
    JOIN charges charge ON charge.id = buying.charge_id
    WHERE placed.event_id = "events"."id" AND placed.person_id = ${viewerId} AND placed.status = 'held')`
    .mapWith((text: string) => JSON.parse(text) as EventView["payment"])
    .as("running_payment");

/** What an event sells to the viewer. */
const saleColumns = (viewerId: string | null) => ({
  refundHours: events.refundHours,
  movedAt: events.movedAt,
  hasKinds:
    sql<number>`EXISTS (SELECT 1 FROM event_ticket_kinds any_kind WHERE any_kind.event_id = "events"."id")`.as(
      "has_kinds",
    ),
  isPaid:
    sql<number>`EXISTS (SELECT 1 FROM event_ticket_kinds paid_kind WHERE paid_kind.event_id = "events"."id" AND paid_kind.price_cents > 0)`.as(
      "is_paid",
    ),
  ticketKinds: ticketKindsSql,
  payment: runningPaymentSql(viewerId),
});

/** Whether the viewer's role in the team of `creatorId` permits to manage events: not a guest's. */
export function managesEventsOf(
  viewerId: string | null,
  creatorId: SQL,
  adultSpaces: boolean,
): SQL {
  if (viewerId === null) return sql`0`;
  return sql`(${worksForPage(viewerId, creatorId, adultSpaces)} AND ${isInTeamAsMember(viewerId, creatorId)})`;
}

/** To whom the ticket is offered now. */
const openTransferSql = sql<
  Ticket["transfer"]
>`(SELECT json_object('to', COALESCE(passing.email, '@' || (SELECT p.username FROM profiles p WHERE p.person_id = passing.to_id), 'a outra pessoa')) FROM event_transfers passing
    WHERE passing.seat_id = "event_seats"."id" AND passing.person_id = "event_seats"."person_id" AND passing.accepted_at IS NULL AND passing.withdrawn_at IS NULL)`
  .mapWith((text: string) => JSON.parse(text) as Ticket["transfer"])
  .as("open_transfer");

/** The answers of the row of `event_seats`; none where it has none. */
export const answersSql = sql<
  Answer[]
>`COALESCE((SELECT given.answers FROM event_answers given WHERE given.id = "event_seats"."answers_id"), '[]')`
  .mapWith((text: string) => JSON.parse(text) as Answer[])
  .as("seat_answers");

/** Reads a person's seats at an event, the first taken first. */
export async function ticketsOf(
  ctx: Context,
  { eventId, personId }: { eventId: string; personId: string },
): Promise<Ticket[]> {
  return await ctx.db
    .select({
      seatId: eventSeats.id,
      code: eventSeats.code,
      checkedInAt: eventSeats.checkedInAt,
      orderId: eventSeats.orderId,
      holderName: eventSeats.holderName,
      answers: answersSql,
      transfer: openTransferSql,
      kindName: sql<
        string | null
      >`(SELECT kind.name FROM event_ticket_kinds kind WHERE kind.id = event_seats.ticket_kind_id)`.as(
        "kind_name",
      ),
    })
    .from(eventSeats)
    .where(
      and(
        eq(eventSeats.personId, personId),
        eq(eventSeats.status, "taken"),
        eq(eventSeats.eventId, eventId),
      ),
    )
    .orderBy(asc(eventSeats.takenAt), asc(eventSeats.id));
}
