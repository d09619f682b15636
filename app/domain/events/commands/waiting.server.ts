import { and, eq, isNull, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { endedOffers, nextInLine } from "#app/domain/events/queries/waiting.server.ts";
import type { NextInLine } from "#app/domain/events/queries/waiting.server.ts";
import { offerEnd } from "#app/domain/events/rules.ts";
import type { EventMessage } from "#app/domain/events/schema/outbox.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { eventWaiting } from "#drizzle/schema/events.ts";

/** More than one freed seat at once is rare; the next run of the cron goes on. */
const OFFERS_AT_ONCE = 50;

/**
 * Offers the free seats of an event to the people of its waiting list, first come first served.
 * Nobody is passed over: who waits for three seats gets an offer of the one that is free. Who has
 * lost access keeps their place, without an offer. Safe to repeat; does nothing after the start.
 */
export async function moveWaitingList(
  ctx: Context,
  { eventId }: { eventId: string },
): Promise<void> {
  for (let made = 0; made < OFFERS_AT_ONCE; made += 1) {
    const next = await nextInLine(ctx, { eventId });
    if (!next) return;
    const isMoved = await offerTo(ctx, next);
    if (!isMoved) made += 1;
  }
}

/** Makes one offer. False if the seats or the list changed since the read. */
async function offerTo(ctx: Context, next: NextInLine): Promise<boolean> {
  const { eventId, personId, offered, startsAt } = next;
  const offerEndsAt = offerEnd(startsAt, ctx.now());
  const hasRoom = sql`EXISTS (SELECT 1 FROM events e WHERE e.id = ${eventId} AND e.status = 'published' AND e.starts_at > ${ctx.now()}
    AND (e.capacity IS NULL OR e.capacity - e.seats_taken - e.seats_offered >= ${offered}))`;
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(eventWaiting)
          .set({ offeredQuantity: offered, offerEndsAt })
          .where(
            and(
              eq(eventWaiting.eventId, eventId),
              eq(eventWaiting.personId, personId),
              isNull(eventWaiting.offerEndsAt),
              hasRoom,
            ),
          ),
      ),
      announce<EventMessage>(ctx, `event:${eventId}:offer:${personId}:${ctx.now()}`, {
        type: "event.seat_offered",
        personId,
        eventId,
        eventTitle: next.title,
        creatorName: next.creatorName,
        quantity: offered,
        offerEndsAt,
      }),
    ]);
    return true;
  } catch (error) {
    if (error instanceof StaleWrite || error instanceof RuleViolation) return false;
    throw error;
  }
}

/**
 * Ends the offers of an event whose time is over: their people leave the list and are told, and the
 * seats go to the next. Safe to repeat.
 */
export async function endOffers(ctx: Context, { eventId }: { eventId: string }): Promise<void> {
  const over = await endedOffers(ctx, { eventId, limit: OFFERS_AT_ONCE });
  for (const { personId, offerEndsAt, title, creatorName } of over) {
    try {
      await commit(ctx.db, [
        mustChangeOne(
          ctx.db
            .delete(eventWaiting)
            .where(
              and(
                eq(eventWaiting.eventId, eventId),
                eq(eventWaiting.personId, personId),
                eq(eventWaiting.offerEndsAt, offerEndsAt),
              ),
            ),
        ),
        announce<EventMessage>(ctx, `event:${eventId}:offer_ended:${personId}:${offerEndsAt}`, {
          type: "event.offer_ended",
          personId,
          eventId,
          eventTitle: title,
          creatorName,
        }),
      ]);
    } catch (error) {
      // They accepted or left meanwhile.
      if (!(error instanceof StaleWrite)) throw error;
    }
  }
  await moveWaitingList(ctx, { eventId });
}
