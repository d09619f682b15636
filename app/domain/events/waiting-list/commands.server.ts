import { and, eq, isNull, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { faultText, RuleViolation, StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  canAccept,
  endedOffers,
  hasFreeSeat,
  hasKindSeat,
  isOfferOver,
  nextFrom,
  nextInLineStatement,
} from "./queries.server.ts";
import type { NextInLine } from "./queries.server.ts";
import { offerEnd } from "#app/domain/events/rules.ts";
import type { EventMessage } from "#app/domain/events/schema/outbox.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { eventWaiting } from "#drizzle/schema/events.ts";

/** More than one freed seat at once is rare; the next run of the cron goes on. */
const OFFERS_AT_ONCE = 50;
const OFFERS_IN_REQUEST = 5;

/**
 * Offers the free seats of an event to the people of its waiting list, first come first served.
 * Nobody is passed over: who waits for three seats gets an offer of the one that is free. Who could
 * not accept an offer any more leaves the list, so that they close no free seat to others. Safe to
 * repeat; does nothing after the start.
 */
export async function moveWaitingList(
  ctx: Context,
  { eventId, most = OFFERS_AT_ONCE }: { eventId: string; most?: number },
): Promise<void> {
  for (let attempts = 0; attempts < most; attempts += 1) {
    const [, [row]] = await ctx.db.batch([
      dropIneligibleStatement(ctx, { eventId }),
      nextInLineStatement(ctx, { eventId }),
    ]);
    const next = nextFrom(row);
    if (!next) return;
    await offerTo(ctx, next);
  }
}

/**
 * `moveWaitingList` after a command that is done already: its failure is logged, and the cron of
 * the next minute goes on.
 */
export async function moveWaitingListQuietly(
  ctx: Context,
  { eventId }: { eventId: string },
): Promise<void> {
  try {
    await moveWaitingList(ctx, { eventId, most: OFFERS_IN_REQUEST });
  } catch (error) {
    ctx.log("events.waiting_list_failed", { eventId, error: faultText(error) });
  }
}

function dropIneligibleStatement(ctx: Context, { eventId }: { eventId: string }) {
  return ctx.db
    .delete(eventWaiting)
    .where(
      and(
        eq(eventWaiting.eventId, eventId),
        isNull(eventWaiting.offerEndsAt),
        sql`EXISTS (SELECT 1 FROM events WHERE events.id = ${eventId} AND ${hasFreeSeat(ctx)} AND NOT ${canAccept(ctx, sql`event_waiting.person_id`)})`,
      ),
    );
}

/** Makes one offer. Does nothing if the seats or the list changed since the read. */
async function offerTo(ctx: Context, next: NextInLine): Promise<void> {
  const { eventId, personId, offered, startsAt } = next;
  const offerEndsAt = offerEnd(startsAt, ctx.now());
  const hasRoom = sql`EXISTS (SELECT 1 FROM events WHERE events.id = ${eventId} AND events.status = 'published' AND events.starts_at > ${ctx.now()} AND ${hasKindSeat(ctx, sql`${personId}`, offered)}
    AND (events.capacity IS NULL OR events.capacity - events.seats_taken - events.seats_held - events.seats_offered >= ${offered}))`;
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
        creatorId: next.creatorId,
        creatorName: next.creatorName,
        quantity: offered,
        offerEndsAt,
      }),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite || error instanceof RuleViolation)) throw error;
  }
}

/**
 * Builds the statement that offers seats to a person whose request was approved: whoever waits in
 * the list is passed. Stale where so many are not free, or a payment uses an offer of theirs.
 */
export function offerStatement(
  ctx: Context,
  {
    eventId,
    personId,
    quantity,
    offerEndsAt,
  }: { eventId: string; personId: string; quantity: number; offerEndsAt: number },
): BatchWrite {
  const offered = { quantity, offeredQuantity: quantity, offerEndsAt };
  return mustChangeOne(
    ctx.db
      .insert(eventWaiting)
      .values({ eventId, personId, ...offered, joinedAt: ctx.now() })
      .onConflictDoUpdate({
        target: [eventWaiting.eventId, eventWaiting.personId],
        set: offered,
        setWhere: sql`${eventWaiting.offerEndsAt} IS NULL OR ${eventWaiting.offerEndsAt} <= ${ctx.now()}`,
      }),
  );
}

/**
 * Ends the offers of an event whose time is over: their people leave the list, and the seats go to
 * the next. They are told, unless the event has started and nothing passes on. Safe to repeat.
 */
export async function endOffers(ctx: Context, { eventId }: { eventId: string }): Promise<void> {
  const over = await endedOffers(ctx, { eventId, limit: OFFERS_AT_ONCE });
  for (const { personId, offerEndsAt, title, creatorId, creatorName, isPassedOn } of over) {
    const message = {
      type: "event.offer_ended",
      personId,
      eventId,
      eventTitle: title,
      creatorId,
      creatorName,
    } as const;
    const key = `event:${eventId}:offer_ended:${personId}:${offerEndsAt}`;
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
                isOfferOver(ctx),
              ),
            ),
        ),
        ...(isPassedOn === 1 ? [announce<EventMessage>(ctx, key, message)] : []),
      ]);
    } catch (error) {
      // They accepted or left meanwhile.
      if (!(error instanceof StaleWrite)) throw error;
    }
  }
  await moveWaitingList(ctx, { eventId });
}
