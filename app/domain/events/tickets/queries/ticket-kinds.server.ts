import { asc, eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { eventTicketKinds } from "#drizzle/schema/events.ts";

/** Reads the kinds of ticket of an event, retired ones too, in the order in which they were made. */
export async function ticketKindsOf(ctx: Context, { eventId }: { eventId: string }) {
  return await ctx.db
    .select()
    .from(eventTicketKinds)
    .where(eq(eventTicketKinds.eventId, eventId))
    .orderBy(asc(eventTicketKinds.createdAt), asc(eventTicketKinds.id));
}
