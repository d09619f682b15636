import { and, asc, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { checkedInStatement } from "#app/domain/events/attendees/queries.server.ts";
import type { EventStatus } from "#app/domain/events/rules.ts";
import { codeDigest } from "./rules.ts";
import type { DoorAnswer, EntryState } from "./rules.ts";
import type { DoorList, DoorSync, QueuedEntry } from "./schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { eventEntries, events, eventSeats } from "#drizzle/schema/events.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** The door of a creator's own event. */
export type Door = { eventId: string; creatorId: string };

/** Changes in one answer of a sync. */
const CHANGES_PAGE = 500;

/** Whether the event is the creator's, and has a door. A draft has none. */
export async function isOwnDoor(ctx: Context, { eventId, creatorId }: Door): Promise<boolean> {
  const own = await ctx.db
    .select({ id: events.id })
    .from(events)
    .where(
      and(
        eq(events.id, eventId),
        eq(events.creatorId, creatorId),
        sql`${events.status} <> 'draft'`,
      ),
    )
    .get();
  return own !== undefined;
}

const ticketNameSql = sql<string>`COALESCE(${eventSeats.holderName}, ${profiles.name})`.as(
  "ticket_name",
);
const kindNameSql = sql<
  string | null
>`(SELECT kind.name FROM event_ticket_kinds kind WHERE kind.id = event_seats.ticket_kind_id)`.as(
  "kind_name",
);

/** Reads a page of the tickets of an own event, canceled ones too, after the seat `after`. */
export async function doorList(
  ctx: Context,
  { eventId, creatorId, after, limit }: Door & { after: string | null; limit: number },
): Promise<DoorList> {
  const [[event], rows] = await ctx.db.batch([
    statusStatement(ctx, eventId),
    ctx.db
      .select({
        seatId: sql<string>`event_seats.id`.as("seat_id"),
        code: eventSeats.code,
        name: ticketNameSql,
        kindName: kindNameSql,
        status: sql<string>`event_seats.status`.as("seat_status"),
      })
      .from(eventSeats)
      .innerJoin(events, eq(events.id, eventSeats.eventId))
      .innerJoin(profiles, eq(profiles.personId, eventSeats.personId))
      .where(
        and(
          eq(eventSeats.eventId, eventId),
          eq(events.creatorId, creatorId),
          after === null ? undefined : sql`event_seats.id > ${after}`,
        ),
      )
      .orderBy(sql`event_seats.id`)
      .limit(limit + 1),
  ]);
  const page = rows.slice(0, limit);
  return {
    tickets: await Promise.all(
      page.map(async ({ code, status, ...ticket }) => ({
        ...ticket,
        digest: await codeDigest(eventId, code),
        isCanceled: status === "canceled",
      })),
    ),
    next: rows.length > limit ? (page.at(-1)?.seatId ?? null) : null,
    isEventCanceled: event?.status === "canceled",
  };
}

const statusStatement = (ctx: Context, eventId: string) =>
  ctx.db
    .select({ status: sql<EventStatus>`events.status`.as("event_status") })
    .from(events)
    .where(eq(events.id, eventId));

type After = Door & {
  asked: { id: string; code: string } | null;
  entries: readonly QueuedEntry[];
  since: number;
};

/** Reads what became of a scan and of queued entries, and what changed after `since`. */
export async function doorAfter(
  ctx: Context,
  { asked, entries, since, ...door }: After,
): Promise<DoorSync> {
  const [[event], seats, stored, changes, [inside]] = await ctx.db.batch([
    statusStatement(ctx, door.eventId),
    seatsStatement(ctx, { ...door, asked, entries }),
    storedStatement(ctx, { eventId: door.eventId, ids: idsOf(asked, entries) }),
    changesStatement(ctx, { eventId: door.eventId, since }),
    checkedInStatement(ctx, door),
  ]);
  const isEventCanceled = event?.status === "canceled";
  const ids = new Map(stored.map(({ id, undoneAt }) => [id, undoneAt]));
  const seat = asked ? seats.find(({ code }) => code === asked.code) : undefined;
  const isIn = asked !== null && ids.get(asked.id) === null;
  return {
    answer: asked ? (isEventCanceled ? { kind: "event_canceled" } : answerFrom(seat, isIn)) : null,
    states: entries.map(({ id, seatId }) => ({
      id,
      state: ids.has(id)
        ? "stored"
        : unstoredState(
            seats.find((one) => one.seatId === seatId),
            isEventCanceled,
          ),
    })),
    changes: changes.flatMap(({ id, seatId, at, undoneAt }) =>
      seatId === null ? [] : [{ id, seatId, at, isUndone: undoneAt !== null }],
    ),
    since: changes.at(-1)?.revision ?? since,
    isComplete: changes.length < CHANGES_PAGE,
    isEventCanceled,
    inside: inside?.inside ?? 0,
  };
}

const idsOf = (asked: After["asked"], entries: After["entries"]): string[] => [
  ...(asked ? [asked.id] : []),
  ...entries.map(({ id }) => id),
];

type Seat = {
  seatId: string;
  code: string;
  status: string;
  checkedInAt: Instant | null;
  name: string;
  kindName: string | null;
};

function answerFrom(seat: Seat | undefined, isIn: boolean): DoorAnswer {
  if (!seat) return { kind: "unknown" };
  const { seatId, name, kindName, checkedInAt } = seat;
  if (seat.status === "canceled") return { kind: "canceled", name };
  if (isIn && checkedInAt !== null)
    return { kind: "entered", seatId, name, kindName, at: checkedInAt };
  return checkedInAt === null ? { kind: "undone" } : { kind: "used", name, at: checkedInAt };
}

function unstoredState(
  seat: Seat | undefined,
  isEventCanceled: boolean,
): Exclude<EntryState, "stored"> {
  if (isEventCanceled) return "event_canceled";
  return seat ? "canceled" : "unknown";
}

/** The seats that a sync names, by the asked code or by their ids. */
function seatsStatement(
  ctx: Context,
  { eventId, creatorId, asked, entries }: Omit<After, "since">,
) {
  const ids = JSON.stringify(entries.map(({ seatId }) => seatId));
  return ctx.db
    .select({
      seatId: sql<string>`event_seats.id`.as("seat_id"),
      code: eventSeats.code,
      status: sql<string>`event_seats.status`.as("seat_status"),
      checkedInAt: eventSeats.checkedInAt,
      name: ticketNameSql,
      kindName: kindNameSql,
    })
    .from(eventSeats)
    .innerJoin(events, eq(events.id, eventSeats.eventId))
    .innerJoin(profiles, eq(profiles.personId, eventSeats.personId))
    .where(
      and(
        sql`(event_seats.code = ${asked?.code ?? ""} OR event_seats.id IN (SELECT one.value FROM json_each(${ids}) one))`,
        eq(eventSeats.eventId, eventId),
        eq(events.creatorId, creatorId),
      ),
    );
}

const storedStatement = (ctx: Context, { eventId, ids }: { eventId: string; ids: string[] }) =>
  ctx.db
    .select({
      id: sql<string>`event_entries.id`.as("entry_id"),
      undoneAt: eventEntries.undoneAt,
    })
    .from(eventEntries)
    .where(
      and(
        eq(eventEntries.eventId, eventId),
        sql`event_entries.id IN (SELECT one.value FROM json_each(${JSON.stringify(ids)}) one)`,
      ),
    );

const changesStatement = (ctx: Context, { eventId, since }: { eventId: string; since: number }) =>
  ctx.db
    .select({
      id: sql<string>`event_entries.id`.as("entry_id"),
      seatId: eventEntries.seatId,
      at: eventEntries.scannedAt,
      undoneAt: eventEntries.undoneAt,
      revision: eventEntries.revision,
    })
    .from(eventEntries)
    .where(and(eq(eventEntries.eventId, eventId), gt(eventEntries.revision, since)))
    .orderBy(asc(eventEntries.revision))
    .limit(CHANGES_PAGE);

/** Reads whose entry it is, at an own event; null if it has none. */
export async function entryAtDoor(
  ctx: Context,
  { eventId, creatorId, entryId }: Door & { entryId: string },
): Promise<{ name: string } | null> {
  const row = await ctx.db
    .select({ name: profiles.name })
    .from(eventEntries)
    .innerJoin(events, eq(events.id, eventEntries.eventId))
    .innerJoin(eventSeats, eq(eventSeats.id, eventEntries.seatId))
    .innerJoin(profiles, eq(profiles.personId, eventSeats.personId))
    .where(
      and(
        eq(eventEntries.eventId, eventId),
        eq(eventEntries.id, entryId),
        isNotNull(eventEntries.seatId),
        eq(events.creatorId, creatorId),
      ),
    )
    .get();
  return row ?? null;
}
