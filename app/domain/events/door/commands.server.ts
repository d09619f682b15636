import { and, eq, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  CanceledAtDoor,
  CheckInChanged,
  EventNotFound,
  TicketCanceled,
  TicketUnknown,
  TicketUsed,
} from "#app/domain/events/errors.ts";
import { doorAfter, entryAtDoor, isOwnDoor } from "./queries.server.ts";
import type { Door } from "./queries.server.ts";
import { parseTicketCode } from "#app/domain/events/rules.ts";
import { plausibleScanTime } from "./rules.ts";
import type { DoorSync, QueuedEntry } from "./schema.ts";
import { eventEntries } from "#drizzle/schema/events.ts";

/** `byId` is who stands at the door. */
type AtDoor = Door & { byId: string };

/** A scan that asks: its person waits for the answer. */
type Ask = { id: string; code: string };

/**
 * Lets in the person of a typed code. Returns their name and kind of ticket, and the id of the
 * entry, which can be undone. Refuses EventNotFound, CanceledAtDoor, TicketUnknown, TicketCanceled
 * and TicketUsed.
 */
export async function checkIn(
  ctx: Context,
  { code, ...door }: AtDoor & { code: string },
): Promise<{ entryId: string; name: string; kindName: string | null }> {
  const id = ctx.newId();
  const { answer } = await syncDoor(ctx, { ...door, ask: { id, code }, entries: [], since: 0 });
  if (answer?.kind === "event_canceled") throw new CanceledAtDoor();
  if (answer?.kind === "canceled") throw new TicketCanceled(answer.name);
  if (answer?.kind === "used") throw new TicketUsed({ name: answer.name, checkedInAt: answer.at });
  if (answer?.kind !== "entered") throw new TicketUnknown();
  return { entryId: id, name: answer.name, kindName: answer.kindName };
}

/**
 * Stores what the device of a door queued without network, answers the scan of `ask`, and returns
 * what changed at all doors after the revision `since`. An entry of the queue let its person in
 * already: it is stored beside others of the same ticket, unless the seat or the event was
 * canceled. Safe to repeat: an id is stored once, and what was undone stays undone. Refuses
 * EventNotFound.
 *
 * INVARIANT: one ticket is in once. The statement of `ask` itself requires that nobody entered with
 * the ticket, and triggers give a seat the earliest of its entries.
 */
export async function syncDoor(
  ctx: Context,
  {
    ask,
    entries,
    since,
    ...door
  }: AtDoor & { ask: Ask | null; entries: readonly QueuedEntry[]; since: number },
): Promise<DoorSync> {
  if (!(await isOwnDoor(ctx, door))) throw new EventNotFound();
  const code = ask ? parseTicketCode(ask.code) : null;
  const asked = ask && code !== null ? { id: ask.id, code } : null;
  await commit(ctx.db, [
    ...entries.flatMap((entry) =>
      entry.isUndone ? undoneStatements(ctx, door, entry) : [queuedStatement(ctx, door, entry)],
    ),
    ...(asked ? askStatements(ctx, door, asked) : []),
  ]);
  const { answer, ...after } = await doorAfter(ctx, { ...door, asked, entries, since });
  return { answer: ask && !asked ? { kind: "unknown" } : answer, ...after };
}

/** The number that the next change of the event's entries takes. */
const nextRevision = (eventId: string): SQL =>
  sql`(SELECT COALESCE(MAX(newest.revision), 0) + 1 FROM event_entries newest WHERE newest.event_id = ${eventId})`;

/** Stores an entry whose person is inside already, if its seat is valid. */
function queuedStatement(
  ctx: Context,
  { eventId, byId }: AtDoor,
  { id, seatId, at }: QueuedEntry,
): DbStatement {
  return ctx.db.run(
    sql`INSERT INTO event_entries (event_id, id, seat_id, scanned_at, scanned_by, revision)
      SELECT s.event_id, ${id}, s.id, ${plausibleScanTime(at, ctx.now())}, ${byId}, ${nextRevision(eventId)}
      FROM event_seats s JOIN events e ON e.id = s.event_id
      WHERE s.id = ${seatId} AND s.event_id = ${eventId} AND s.status = 'taken' AND e.status = 'published'
      ON CONFLICT (event_id, id) DO NOTHING`,
  );
}

/**
 * Lets in by a code, if nobody entered with its ticket. A refused scan is stored as undone, so that
 * the same request, arriving again later, lets nobody in.
 */
function askStatements(ctx: Context, { eventId, byId }: AtDoor, { id, code }: Ask): DbStatement[] {
  const now = ctx.now();
  const scan = (undoneAt: SQL, condition: SQL) =>
    ctx.db.run(
      sql`INSERT INTO event_entries (event_id, id, seat_id, scanned_at, scanned_by, undone_at, revision)
        SELECT s.event_id, ${id}, s.id, ${now}, ${byId}, ${undoneAt}, ${nextRevision(eventId)}
        FROM event_seats s JOIN events e ON e.id = s.event_id
        WHERE s.code = ${code} AND s.event_id = ${eventId} AND s.status = 'taken' AND e.status = 'published' AND ${condition}
        ON CONFLICT (event_id, id) DO NOTHING`,
    );
  return [
    scan(sql`NULL`, sql`s.checked_in_at IS NULL`),
    scan(sql`${now}`, sql`s.checked_in_at IS NOT NULL`),
  ];
}

/** Undoes an entry. One that never arrived is stored as undone, so that it never lets in. */
function undoneStatements(
  ctx: Context,
  { eventId, byId }: AtDoor,
  { id, seatId, at }: QueuedEntry,
): DbStatement[] {
  const now = ctx.now();
  return [
    ctx.db
      .update(eventEntries)
      .set({ undoneAt: now, revision: nextRevision(eventId) })
      .where(isLivingEntry(eventId, id)),
    ctx.db.run(
      sql`INSERT INTO event_entries (event_id, id, seat_id, scanned_at, scanned_by, undone_at, revision)
        SELECT ${eventId}, ${id}, (SELECT s.id FROM event_seats s WHERE s.id = ${seatId} AND s.event_id = ${eventId}),
          ${plausibleScanTime(at, now)}, ${byId}, ${now}, ${nextRevision(eventId)}
        WHERE true
        ON CONFLICT (event_id, id) DO NOTHING`,
    ),
  ];
}

const isLivingEntry = (eventId: string, id: string) =>
  and(eq(eventEntries.eventId, eventId), eq(eventEntries.id, id), isNull(eventEntries.undoneAt));

/**
 * Undoes one entry, so that its ticket lets in again. Another entry of the same ticket stays.
 * Refuses TicketUnknown, and CheckInChanged where it was undone already.
 */
export async function undoCheckIn(
  ctx: Context,
  { entryId, ...door }: Door & { entryId: string },
): Promise<{ name: string }> {
  const entry = await entryAtDoor(ctx, { ...door, entryId });
  if (!entry) throw new TicketUnknown();
  const undone = await ctx.db
    .update(eventEntries)
    .set({ undoneAt: ctx.now(), revision: nextRevision(door.eventId) })
    .where(isLivingEntry(door.eventId, entryId))
    .returning({ id: eventEntries.id });
  if (undone.length === 0) throw new CheckInChanged();
  return { name: entry.name };
}
