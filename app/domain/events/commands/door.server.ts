import { and, eq, isNull } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { TicketCanceled, TicketUnknown, TicketUsed } from "#app/domain/events/errors.ts";
import { seatAtDoor } from "#app/domain/events/queries/door.server.ts";
import type { Door } from "#app/domain/events/queries/door.server.ts";
import { parseTicketCode } from "#app/domain/events/rules.ts";
import { eventSeats } from "#drizzle/schema/events.ts";

/**
 * Lets in the person of a typed or scanned code, and returns their name. `byId` is who stands at
 * the door. Refuses TicketUnknown, TicketCanceled and TicketUsed.
 *
 * INVARIANT: one ticket lets in once. The write itself requires that nobody entered with it, so of
 * two doors with the same code the second is refused.
 */
export async function checkIn(
  ctx: Context,
  { code: typed, byId, ...door }: Door & { code: string; byId: string },
): Promise<{ seatId: string; name: string }> {
  const code = parseTicketCode(typed);
  const seat = code === null ? null : await seatAtDoor(ctx, door, { code });
  if (!seat) throw new TicketUnknown();
  if (seat.status === "canceled") throw new TicketCanceled(seat.name);
  const entered = await ctx.db
    .update(eventSeats)
    .set({ checkedInAt: ctx.now(), checkedInBy: byId })
    .where(
      and(
        eq(eventSeats.id, seat.seatId),
        eq(eventSeats.status, "taken"),
        isNull(eventSeats.checkedInAt),
      ),
    )
    .returning({ id: eventSeats.id });
  if (entered.length > 0) return { seatId: seat.seatId, name: seat.name };
  const now = await seatAtDoor(ctx, door, seat);
  if (!now) throw new TicketUnknown();
  if (now.checkedInAt === null) throw new TicketCanceled(now.name);
  throw new TicketUsed({ name: now.name, checkedInAt: now.checkedInAt });
}

/** Undoes a check-in, so that the ticket lets in again. Safe to repeat. Refuses TicketUnknown. */
export async function undoCheckIn(
  ctx: Context,
  { seatId, ...door }: Door & { seatId: string },
): Promise<{ name: string }> {
  const seat = await seatAtDoor(ctx, door, { seatId });
  if (!seat) throw new TicketUnknown();
  await ctx.db
    .update(eventSeats)
    .set({ checkedInAt: null, checkedInBy: null })
    .where(eq(eventSeats.id, seatId));
  return { name: seat.name };
}
