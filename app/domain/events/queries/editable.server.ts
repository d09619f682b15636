import { and, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { events } from "#drizzle/schema/events.ts";

/** Reads a creator's own event in any state, as its form edits it; null if it is not theirs. */
export async function editableEvent(
  ctx: Context,
  { eventId, creatorId }: { eventId: string; creatorId: string },
) {
  const [row] = await ctx.db
    .select({
      id: events.id,
      title: events.title,
      description: events.description,
      place: events.place,
      link: events.link,
      linkMinutes: events.linkMinutes,
      startsAt: events.startsAt,
      endsAt: events.endsAt,
      timeZone: events.timeZone,
      startsWall: events.startsWall,
      endsWall: events.endsWall,
      status: events.status,
      heldAt: events.heldAt,
      capacity: events.capacity,
      typedCapacity: events.typedCapacity,
      priceFromCents: events.priceFromCents,
      hasPaidOrders:
        sql<number>`EXISTS (SELECT 1 FROM event_orders o WHERE o.event_id = "events"."id" AND o.status = 'paid')`.as(
          "has_paid_orders",
        ),
      refundHours: events.refundHours,
      maxPerPerson: events.maxPerPerson,
      access: events.access,
      planIds: events.planIds,
      revision: events.revision,
      seatsTaken: events.seatsTaken,
      seatsHeld: events.seatsHeld,
      seatsOffered: events.seatsOffered,
      waitingCount: events.waitingCount,
      seriesId: events.seriesId,
      seriesDay: events.seriesDay,
      questions: events.questions,
      needsApproval: events.needsApproval,
      coverMediaId: events.coverMediaId,
      coverAlt: sql<
        string | null
      >`(SELECT c.alt FROM media c WHERE c.id = events.cover_media_id)`.as("cover_alt"),
    })
    .from(events)
    .where(and(eq(events.id, eventId), eq(events.creatorId, creatorId)))
    .limit(1);
  if (!row) return null;
  const { hasPaidOrders, ...event } = row;
  return { ...event, isSold: hasPaidOrders === 1 };
}

export type EditableEvent = NonNullable<Awaited<ReturnType<typeof editableEvent>>>;
