import { and, eq, isNull, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { TicketNameFixed } from "#app/domain/events/errors.ts";
import { eventSeats } from "#drizzle/schema/events.ts";

/**
 * Sets the name on a person's ticket; null for their own. The code stays. Refuses TicketNameFixed:
 * somebody else's ticket, a canceled one, after the entry or the end.
 */
export async function nameTicket(
  ctx: Context,
  {
    eventId,
    personId,
    seatId,
    name,
  }: { eventId: string; personId: string; seatId: string; name: string | null },
): Promise<void> {
  const named = await ctx.db
    .update(eventSeats)
    .set({ holderName: name })
    .where(
      and(
        eq(eventSeats.id, seatId),
        eq(eventSeats.eventId, eventId),
        eq(eventSeats.personId, personId),
        eq(eventSeats.status, "taken"),
        isNull(eventSeats.checkedInAt),
        sql`EXISTS (SELECT 1 FROM events e WHERE e.id = ${eventId} AND e.status = 'published' AND e.ends_at > ${ctx.now()})`,
      ),
    )
    .returning({ id: eventSeats.id });
  if (named.length === 0) throw new TicketNameFixed();
}
