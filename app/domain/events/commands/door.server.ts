import { and, eq, isNull, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import {
  CanceledAtDoor,
  CheckInChanged,
  TicketCanceled,
  TicketUnknown,
  TicketUsed,
} from "#app/domain/events/errors.ts";
import { seatAtDoor } from "#app/domain/events/queries/door.server.ts";
import type { Door } from "#app/domain/events/queries/door.server.ts";
import { parseTicketCode } from "#app/domain/events/rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { eventSeats } from "#drizzle/schema/events.ts";

/**
 * Lets in the person of a typed or scanned code, and returns their name and kind of ticket. `byId`
 * is who stands at the door. Refuses TicketUnknown, TicketCanceled, TicketUsed, and
 * CanceledAtDoor.
 *
 * INVARIANT: one ticket lets in once. The write itself requires that nobody entered with it, so of
 * two doors with the same code the second is refused.
 */
export async function checkIn(
  ctx: Context,
  { code: typed, byId, ...door }: Door & { code: string; byId: string },
): Promise<{ seatId: string; name: string; kindName: string | null; checkedInAt: Instant }> {
  const code = parseTicketCode(typed);
  const seat = code === null ? null : await seatAtDoor(ctx, door, { code });
  if (!seat) throw new TicketUnknown();
  if (seat.isCanceled === 1) throw new CanceledAtDoor();
  if (seat.status === "canceled") throw new TicketCanceled(seat.name);
  const checkedInAt = ctx.now();
  const entered = await ctx.db
    .update(eventSeats)
    .set({ checkedInAt, checkedInBy: byId })
    .where(
      and(
        eq(eventSeats.id, seat.seatId),
        // Its person may have passed it on since the read.
        eq(eventSeats.code, seat.code),
        eq(eventSeats.status, "taken"),
        isNull(eventSeats.checkedInAt),
        sql`EXISTS (SELECT 1 FROM events e WHERE e.id = ${door.eventId} AND e.status = 'published')`,
      ),
    )
    .returning({ id: eventSeats.id });
  if (entered.length > 0) {
    const { seatId, name, kindName } = seat;
    return { seatId, name, kindName, checkedInAt };
  }
  const now = await seatAtDoor(ctx, door, seat);
  if (!now || now.code !== seat.code) throw new TicketUnknown();
  if (now.isCanceled === 1) throw new CanceledAtDoor();
  if (now.checkedInAt === null) throw new TicketCanceled(now.name);
  throw new TicketUsed({ name: now.name, checkedInAt: now.checkedInAt });
}

/**
 * Undoes the check-in of `checkedInAt`, so that the ticket lets in again. Refuses TicketUnknown,
 * and CheckInChanged where it was undone already or another entry followed: that one stays.
 */
export async function undoCheckIn(
  ctx: Context,
  { seatId, checkedInAt, ...door }: Door & { seatId: string; checkedInAt: Instant },
): Promise<{ name: string }> {
  const seat = await seatAtDoor(ctx, door, { seatId });
  if (!seat) throw new TicketUnknown();
  const undone = await ctx.db
    .update(eventSeats)
    .set({ checkedInAt: null, checkedInBy: null })
    .where(and(eq(eventSeats.id, seatId), eq(eventSeats.checkedInAt, checkedInAt)))
    .returning({ id: eventSeats.id });
  if (undone.length === 0) throw new CheckInChanged();
  return { name: seat.name };
}
