import { sql } from "drizzle-orm";
import type { EventQuestion } from "#app/domain/events/questions/rules.ts";
import type { SeriesChange, SeriesRule } from "#app/domain/events/series/rules.ts";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/**
 * An event of a creator: a live stream, a class, an open rehearsal. Triggers count its seats, and
 * refuse a count above the capacity.
 */
export const events = sqliteTable(
  "events",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    title: text("title").notNull(),
    description: text("description").notNull().default(""),
    /** Where it takes place, for everybody who sees the event. Empty for one that is only online. */
    place: text("place").notNull(),
    /** An http or https address that only people with a seat see. */
    link: text("link"),
    /** From how many minutes before the start they see it; null with the seat. */
    linkMinutes: integer("link_minutes"),
    coverMediaId: text("cover_media_id"),
    startsAt: integer("starts_at").notNull(),
    endsAt: integer("ends_at").notNull().default(0),
    /**
     * Start and end as typed, `2026-12-20T20:00` in its zone: they stay when the zone's clock rules
     * change, and the instants follow. Null in rows of before they were stored.
     */
    startsWall: text("starts_wall"),
    endsWall: text("ends_wall"),
    /** The IANA zone in which its times were typed. */
    timeZone: text("time_zone").notNull().default("America/Sao_Paulo"),
    status: text("status", { enum: ["draft", "published", "canceled"] })
      .notNull()
      .default("draft"),
    /**
     * Seats in all; null without a limit. Of `typedCapacity` and the sum of its ticket kinds, if
     * each has a number, the lower.
     */
    capacity: integer("capacity"),
    /** What its form says; null for a blank field. */
    typedCapacity: integer("typed_capacity"),
    maxPerPerson: integer("max_per_person").notNull().default(1),
    /** Who may take a seat. Everybody who may see the page sees the event itself. */
    access: text("access", { enum: ["public", "followers", "subscribers", "plans"] })
      .notNull()
      .default("public"),
    planIds: text("plan_ids", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** The lowest price of its ticket kinds (centavos); null without kinds. */
    priceFromCents: integer("price_from_cents"),
    /**
     * Until how many hours before the start a canceled ticket is refunded; null for the seven days
     * of the law only. Each order keeps the rule of its day.
     */
    refundHours: integer("refund_hours").default(48),
    /** The last change of time or place: who bought before it may cancel and be refunded. */
    movedAt: integer("moved_at"),
    /** Incremented by each change; the SEQUENCE of its calendar entry. */
    revision: integer("revision").notNull().default(0),
    seatsTaken: integer("seats_taken").notNull().default(0),
    /** Taken seats whose person came in. */
    checkedInCount: integer("checked_in_count").notNull().default(0),
    /** Seats that running payments hold. */
    seatsHeld: integer("seats_held").notNull().default(0),
    /** Seats that are offered to people of the waiting list. */
    seatsOffered: integer("seats_offered").notNull().default(0),
    /** People of the waiting list who have no offer. */
    waitingCount: integer("waiting_count").notNull().default(0),
    /** When the reminders of a day and of 15 minutes before were announced. */
    dayReminderAt: integer("day_reminder_at"),
    startReminderAt: integer("start_reminder_at"),
    publishedAt: integer("published_at"),
    canceledAt: integer("canceled_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull().default(0),
    /** The repeating event of which it is one date. */
    seriesId: text("series_id"),
    /** Its day by the rule, `2026-12-20`; the day itself may have been changed. */
    seriesDay: text("series_day"),
    /** Changed by hand on its own: changes of the series leave it as it is. */
    isChangedAlone: integer("is_changed_alone", { mode: "boolean" }).notNull().default(false),
    /** The last change of its series that reached it. */
    seriesVersion: integer("series_version").notNull().default(0),
    /** What it asks who takes a seat, in their order; at most 10. */
    questions: text("questions", { mode: "json" }).$type<EventQuestion[]>().notNull().default([]),
    /** Each seat is asked for, and its creator approves the request. */
    needsApproval: integer("needs_approval", { mode: "boolean" }).notNull().default(false),
    /** When a moderator hid it; null while it is shown. */
    heldAt: integer("held_at"),
  },
  (table) => [
    index("events_starts").on(table.startsAt),
    index("events_zone").on(table.timeZone, table.startsAt),
    uniqueIndex("events_series")
      .on(table.seriesId, table.seriesDay)
      .where(sql`series_id IS NOT NULL`),
    index("events_creator").on(table.creatorId, table.startsAt),
    index("events_cover").on(table.coverMediaId),
    index("events_waiting")
      .on(table.startsAt)
      .where(sql`status = 'published' AND waiting_count > 0`),
    index("events_day_reminder")
      .on(table.startsAt)
      .where(sql`status = 'published' AND day_reminder_at IS NULL`),
    index("events_start_reminder")
      .on(table.startsAt)
      .where(sql`status = 'published' AND start_reminder_at IS NULL`),
  ],
);

/** One seat of one person. A canceled seat keeps its row, and its code opens no door. */
export const eventSeats = sqliteTable(
  "event_seats",
  {
    id: text("id").primaryKey(),
    eventId: text("event_id").notNull(),
    personId: text("person_id").notNull(),
    status: text("status", { enum: ["taken", "canceled"] }).notNull(),
    /** What the door scans: random, and shown to its person only. */
    code: text("code").notNull(),
    takenAt: integer("taken_at").notNull(),
    canceledAt: integer("canceled_at"),
    checkedInAt: integer("checked_in_at"),
    /** Who let the person in. */
    checkedInBy: text("checked_in_by"),
    /** Null at an event without ticket kinds. */
    ticketKindId: text("ticket_kind_id"),
    /** The order that paid for it; null for a free seat. */
    orderId: text("order_id"),
    /** The name on the ticket, of somebody else than its person; null for the person's own. */
    holderName: text("holder_name"),
    /** The answers that its person gave when they took it; null without, and once passed on. */
    answersId: text("answers_id"),
    /**
     * When the creator blocked its person, to whom somebody else had passed it: a step cancels it
     * and refunds who paid. Null otherwise.
     */
    cancelsAt: integer("cancels_at"),
  },
  (table) => [
    uniqueIndex("event_seats_code").on(table.code),
    index("event_seats_event").on(table.eventId, table.status, table.takenAt, table.id),
    index("event_seats_person").on(table.personId, table.status, table.eventId),
    index("event_seats_door")
      .on(table.checkedInBy)
      .where(sql`checked_in_by IS NOT NULL`),
    index("event_seats_canceling")
      .on(table.cancelsAt)
      .where(sql`cancels_at IS NOT NULL AND status = 'taken'`),
    index("event_seats_order")
      .on(table.orderId)
      .where(sql`order_id IS NOT NULL`),
  ],
);

/**
 * A scan that let the person of a seat in. Doors without network send theirs later, so that a seat
 * may have several. The earliest that is not undone is its entry, which triggers write to the
 * seat.
 */
export const eventEntries = sqliteTable(
  "event_entries",
  {
    eventId: text("event_id").notNull(),
    /** Chosen by the device of the door: the same scan sent again is stored once. */
    id: text("id").notNull(),
    /** Null for a scan that was taken back before its ticket was known. */
    seatId: text("seat_id"),
    /** By the clock of the device. */
    scannedAt: integer("scanned_at").notNull(),
    /** Who let the person in; null once their account is erased. */
    scannedBy: text("scanned_by"),
    undoneAt: integer("undone_at"),
    /** Counts the changes of the event's entries. Each change takes the next number. */
    revision: integer("revision").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.eventId, table.id] }),
    uniqueIndex("event_entries_revision").on(table.eventId, table.revision),
    index("event_entries_seat").on(table.seatId, table.scannedAt, table.id),
    index("event_entries_door")
      .on(table.scannedBy)
      .where(sql`scanned_by IS NOT NULL`),
  ],
);

/** A kind of ticket of an event, such as "Inteira". Triggers count its seats, as of the event. */
export const eventTicketKinds = sqliteTable(
  "event_ticket_kinds",
  {
    id: text("id").primaryKey(),
    eventId: text("event_id").notNull(),
    name: text("name").notNull(),
    /** 0 for a free kind. */
    priceCents: integer("price_cents").notNull(),
    /** Seats of this kind; null for as many as the event has. */
    capacity: integer("capacity"),
    /** When it is sold; null for at once, and until the end of the event. */
    saleStartsAt: integer("sale_starts_at"),
    saleEndsAt: integer("sale_ends_at"),
    seatsTaken: integer("seats_taken").notNull().default(0),
    seatsHeld: integer("seats_held").notNull().default(0),
    /** No longer sold; its tickets stay valid. */
    retiredAt: integer("retired_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("event_ticket_kinds_event").on(table.eventId, table.createdAt, table.id)],
);

/**
 * Tickets that a person chose to buy. `open`: chosen, no seat is held. `held`: a payment runs, and
 * its seats are held. `paid`: the seats are the person's. `canceled`: its purchase ended. Triggers
 * on `purchases` change the status, so that hold and payment begin and end together.
 */
export const eventOrders = sqliteTable(
  "event_orders",
  {
    id: text("id").primaryKey(),
    eventId: text("event_id").notNull(),
    personId: text("person_id").notNull(),
    ticketKindId: text("ticket_kind_id").notNull(),
    quantity: integer("quantity").notNull(),
    /** The price of one ticket when it was chosen (centavos). */
    unitPriceCents: integer("unit_price_cents").notNull(),
    /** The refund rule of the event when it was chosen. */
    refundHours: integer("refund_hours"),
    status: text("status", { enum: ["open", "held", "paid", "canceled"] }).notNull(),
    createdAt: integer("created_at").notNull(),
    /**
     * Until when its seats stay held without a payment, while its payer changes the method; null at
     * all other times.
     */
    switchEndsAt: integer("switch_ends_at"),
    /** Names for its tickets, in their order; fewer than tickets where the buyer's own stands. */
    names: text("names", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** The answers that its person gave when they chose; null without. */
    answersId: text("answers_id"),
  },
  (table) => [
    index("event_orders_switching")
      .on(table.switchEndsAt)
      .where(sql`switch_ends_at IS NOT NULL`),
    uniqueIndex("event_orders_one_running")
      .on(table.eventId, table.personId)
      .where(sql`status IN ('open', 'held')`),
    index("event_orders_unpaid_answers")
      .on(table.createdAt)
      .where(sql`status = 'open' AND answers_id IS NOT NULL`),
    index("event_orders_event").on(table.eventId, table.status),
    index("event_orders_person").on(table.personId, table.eventId),
  ],
);

/**
 * A ticket that its person passes on to a member, or to an address by a secret link. It is open
 * until it is accepted or withdrawn; the ticket stays its person's until then.
 */
export const eventTransfers = sqliteTable(
  "event_transfers",
  {
    id: text("id").primaryKey(),
    eventId: text("event_id").notNull(),
    seatId: text("seat_id").notNull(),
    /** Who passes it on. */
    personId: text("person_id").notNull(),
    /** The member who may accept; null where the link decides. */
    toId: text("to_id"),
    /** The address that the link was sent to; null for a member. */
    email: text("email"),
    /** The SHA-256 of the link's token; null for a member. */
    tokenHash: text("token_hash"),
    createdAt: integer("created_at").notNull(),
    acceptedAt: integer("accepted_at"),
    withdrawnAt: integer("withdrawn_at"),
  },
  (table) => [
    uniqueIndex("event_transfers_one_open")
      .on(table.seatId)
      .where(sql`accepted_at IS NULL AND withdrawn_at IS NULL`),
    uniqueIndex("event_transfers_token")
      .on(table.tokenHash)
      .where(sql`token_hash IS NOT NULL`),
    index("event_transfers_person").on(table.personId, table.eventId),
    index("event_transfers_to")
      .on(table.toId)
      .where(sql`to_id IS NOT NULL`),
    index("event_transfers_event").on(table.eventId),
    index("event_transfers_email")
      .on(table.email)
      .where(sql`email IS NOT NULL`),
  ],
);

/** The waiting list of an event, in the order of `joinedAt`. */
export const eventWaiting = sqliteTable(
  "event_waiting",
  {
    eventId: text("event_id").notNull(),
    personId: text("person_id").notNull(),
    quantity: integer("quantity").notNull(),
    joinedAt: integer("joined_at").notNull(),
    /** Seats that are held for the person until `offerEndsAt`; 0 without an offer. */
    offeredQuantity: integer("offered_quantity").notNull().default(0),
    offerEndsAt: integer("offer_ends_at"),
  },
  (table) => [
    primaryKey({ columns: [table.eventId, table.personId] }),
    index("event_waiting_order").on(table.eventId, table.joinedAt, table.personId),
    index("event_waiting_person").on(table.personId),
    index("event_waiting_offers")
      .on(table.offerEndsAt)
      .where(sql`offer_ends_at IS NOT NULL`),
  ],
);

/**
 * The secret calendar address of a person. Stores only the SHA-256 of the token; another address
 * replaces it.
 */
export const eventCalendars = sqliteTable(
  "event_calendars",
  {
    personId: text("person_id").primaryKey(),
    tokenHash: text("token_hash").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("event_calendars_token_hash").on(table.tokenHash)],
);

/**
 * A repeating event. Each of its dates is a row of `events` that is made ahead. `rule` gives the
 * days from the one of `startsWall` on.
 */
export const eventSeries = sqliteTable(
  "event_series",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    timeZone: text("time_zone").notNull(),
    /** The first day and the hour, `2026-12-20T20:00`. */
    startsWall: text("starts_wall").notNull(),
    /** On the clock: minutes from start to end. */
    durationMinutes: integer("duration_minutes").notNull(),
    rule: text("rule", { mode: "json" }).$type<SeriesRule>().notNull(),
    /** The last day that was made, `2026-12-20`. */
    madeUntil: text("made_until").notNull(),
    /** When more dates are to be made; null when all of them are. */
    extendAt: integer("extend_at"),
    /** The number of its last change of several dates. */
    version: integer("version").notNull().default(0),
    /** A change that has not reached all dates; null without one. */
    change: text("change", { mode: "json" }).$type<SeriesChange>(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("event_series_creator").on(table.creatorId),
    index("event_series_extend")
      .on(table.extendAt)
      .where(sql`extend_at IS NOT NULL`),
    index("event_series_changing")
      .on(table.updatedAt)
      .where(sql`change IS NOT NULL`),
  ],
);

/** The zones of events, with the clock rules by which their instants were calculated last. */
export const eventZones = sqliteTable(
  "event_zones",
  {
    zone: text("zone").primaryKey(),
    /** The first year of `rules`, and the changes of its offset; null before the first check. */
    year: integer("year"),
    rules: text("rules"),
    checkedAt: integer("checked_at").notNull().default(0),
    /** Where the check of its events goes on; null between checks. */
    cursorAt: integer("cursor_at"),
    cursorId: text("cursor_id"),
  },
  (table) => [index("event_zones_checked").on(table.checkedAt)],
);
