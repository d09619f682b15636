import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit, guardStatement, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { eventListableTo, eventOpenTo, isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { moveWaitingListQuietly } from "#app/domain/events/waiting-list/commands.server.ts";
import { EventNotFound } from "#app/domain/events/errors.ts";
import { ownSeats } from "#app/domain/events/waiting-list/queries.server.ts";
import { eventFor, ticketsOf } from "#app/domain/events/queries.server.ts";
import type { EventMessage } from "#app/domain/events/schema/outbox.ts";
import {
  AlreadyPassing,
  CannotPassToSelf,
  CannotReceive,
  NothingToPass,
  TooManyTransfers,
  TransferNotFound,
  TransferOver,
  UnknownReceiver,
} from "./errors.ts";
import { isPassable, isUnanswered, transferFor } from "./queries.server.ts";
import type { Receiver } from "./schema.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { personByUsername, profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { randomToken } from "#app/lib/secrets.ts";
import { ticketCodeFromHex } from "#app/lib/ticket-code.ts";
import { eventSeats, eventTransfers, eventWaiting } from "#drizzle/schema/events.ts";

/** Each is an email or a notification to somebody else. */
const TRANSFERS: readonly RateLimit[] = [{ windowMs: DAY_MS, limit: 30 }];
const OPEN_MOST = 20;
/** Mails to one address in a day, over all senders. */
const TO_ADDRESS_MOST = 3;

type PassedTicket = { eventId: string; personId: string; seatId: string };

/**
 * Offers a person's ticket to a member, or to an address by a link that is accepted once. The
 * ticket stays theirs until somebody accepts. A paid one is still refunded to who paid. Refuses
 * EventNotFound, NothingToPass (not theirs, used, canceled, or the event began), AlreadyPassing,
 * UnknownReceiver (also one of the two blocked the other), CannotPassToSelf and TooManyTransfers
 * (30 a day, 20 open, 3 a day to one address).
 */
export async function offerTicket(
  ctx: Context,
  { eventId, personId, seatId, to }: PassedTicket & { to: Receiver },
): Promise<void> {
  const event = await eventFor(ctx, { eventId, viewerId: personId });
  if (!event) throw new EventNotFound();
  const giver = await profileOfPerson(ctx, { personId });
  const receiver = "username" in to ? await memberOf(ctx, { personId, ...to }) : null;
  const email = "email" in to ? to.email : null;
  const token = randomToken();
  const id = ctx.newId();
  const about = {
    eventId,
    eventTitle: event.title,
    creatorId: event.creatorId,
    creatorName: event.creatorName,
    startsAt: event.startsAt,
    timeZone: event.timeZone,
    giverId: personId,
    giverName: giver?.name ?? "",
  };
  const message: EventMessage = receiver
    ? { type: "event.ticket_offered", ...about, personId: receiver.id, transferId: id }
    : {
        type: "event.ticket_mailed",
        ...about,
        transferId: id,
        email: email ?? "",
        link: `${ctx.settings.appOrigin}/events/transfers/${token}`,
      };
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, { act: "event.transfer", personId, limits: TRANSFERS }),
      guardStatement(
        ctx.db,
        sql`EXISTS (SELECT 1 FROM event_seats JOIN events ON events.id = event_seats.event_id WHERE event_seats.id = ${seatId} AND event_seats.event_id = ${eventId} AND ${isPassable(sql`${personId}`, ctx)})
          AND NOT EXISTS (SELECT 1 FROM event_transfers WHERE event_transfers.seat_id = ${seatId} AND ${isUnanswered})
          AND (SELECT COUNT(*) FROM event_transfers JOIN event_seats ON event_seats.id = event_transfers.seat_id JOIN events ON events.id = event_transfers.event_id
            WHERE event_transfers.person_id = ${personId} AND ${isUnanswered} AND ${isPassable(sql`${personId}`, ctx)}) < ${OPEN_MOST}
          AND (SELECT COUNT(*) FROM event_transfers sent WHERE sent.email = ${email} AND sent.created_at > ${ctx.now() - DAY_MS}) < ${TO_ADDRESS_MOST}`,
      ),
      ctx.db.insert(eventTransfers).values({
        id,
        eventId,
        seatId,
        personId,
        toId: receiver?.id ?? null,
        email,
        tokenHash: receiver ? null : await sha256Hex(token),
        createdAt: ctx.now(),
      }),
      announce<EventMessage>(ctx, `event:transfer:${id}`, message),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite
      ? await whyNotOffered(ctx, { eventId, personId, seatId })
      : error;
  }
}

async function memberOf(
  ctx: Context,
  { personId, username }: { personId: string; username: string },
) {
  const member = await personByUsername(ctx, { username });
  if (!member) throw new UnknownReceiver();
  if (member.id === personId) throw new CannotPassToSelf();
  const [row] = await ctx.db.all<{ blocked: number }>(
    sql`SELECT ${isBlockedBetween(personId, sql`${member.id}`)} AS blocked`,
  );
  if (row?.blocked) throw new UnknownReceiver();
  return member;
}

async function whyNotOffered(ctx: Context, { seatId, ...who }: PassedTicket) {
  const event = await eventFor(ctx, { eventId: who.eventId, viewerId: who.personId });
  const ticket = (await ticketsOf(ctx, who)).find((one) => one.seatId === seatId);
  const isPassed = ticket && ticket.checkedInAt === null && event?.status === "published";
  if (!isPassed || event.startsAt <= ctx.now()) return new NothingToPass();
  return ticket.transfer ? new AlreadyPassing() : new TooManyTransfers();
}

/** Withdraws the open offer of a person's ticket; its link opens nothing any more. Safe to repeat. */
export async function withdrawOffer(
  ctx: Context,
  { eventId, personId, seatId }: PassedTicket,
): Promise<void> {
  await ctx.db
    .update(eventTransfers)
    .set({ withdrawnAt: ctx.now() })
    .where(
      and(
        eq(eventTransfers.eventId, eventId),
        eq(eventTransfers.seatId, seatId),
        eq(eventTransfers.personId, personId),
        isUnanswered,
      ),
    );
}

/**
 * Makes an offered ticket its receiver's, with another code: the former one opens no door any more.
 * The order stays who paid. Returns the event. Refuses TransferNotFound, TransferOver and
 * CannotReceive.
 *
 * INVARIANT: an offer is accepted once. Its row, the seat and what the event allows are conditions
 * of one batch.
 */
export async function acceptTicket(
  ctx: Context,
  { key, personId }: { key: string; personId: string },
): Promise<{ eventId: string }> {
  const transfer = await transferFor(ctx, { key, viewerId: personId });
  if (!transfer) throw new TransferNotFound();
  if (!transfer.isOpen) throw new TransferOver();
  if (transfer.giverId === personId) throw new CannotPassToSelf();
  const receiver = await profileOfPerson(ctx, { personId });
  const { id, eventId, eventTitle, startsAt, timeZone, giverId } = transfer;
  const event = await eventFor(ctx, { eventId, viewerId: personId });
  if (!event?.isOpen) throw new CannotReceive("closed");
  const { creatorId, creatorName, place } = event;
  const about = { eventId, eventTitle, creatorId, creatorName, startsAt, timeZone };
  const isOffered = sql`event_seats.id = (SELECT event_transfers.seat_id FROM event_transfers WHERE event_transfers.id = ${id} AND ${isUnanswered})`;
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(eventSeats)
          .set({
            personId,
            holderName: null,
            answersId: null,
            code: ticketCodeFromHex(randomToken()),
          })
          .where(sql`${isOffered} AND EXISTS (${canReceive(ctx, { giverId, personId })})`),
      ),
      mustChangeOne(
        ctx.db
          .update(eventTransfers)
          .set({ acceptedAt: ctx.now(), toId: personId })
          .where(and(eq(eventTransfers.id, id), isUnanswered)),
      ),
      // Whoever gets a seat leaves the waiting list, as by "Vou".
      ctx.db
        .delete(eventWaiting)
        .where(and(eq(eventWaiting.eventId, eventId), eq(eventWaiting.personId, personId))),
      announce<EventMessage>(ctx, `event:transfer:${id}:accepted`, {
        type: "event.ticket_accepted",
        ...about,
        personId: giverId,
        receiverId: personId,
        receiverName: receiver?.name ?? "",
      }),
      announce<EventMessage>(ctx, `event:transfer:${id}:taken`, {
        type: "event.seat_taken",
        ...about,
        personId,
        place,
        quantity: 1,
      }),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    const now = await transferFor(ctx, { key, viewerId: personId });
    throw now?.isOpen ? new CannotReceive("too_many") : new TransferOver();
  }
  await moveWaitingListQuietly(ctx, { eventId });
  return { eventId };
}

/** The event of the seat, if the ticket is still its giver's and this person may have a seat. */
const canReceive = (
  ctx: Context,
  { giverId, personId }: { giverId: string; personId: string },
): SQL =>
  sql`SELECT 1 FROM events WHERE events.id = event_seats.event_id AND ${isPassable(sql`${giverId}`, ctx)}
    AND ${ownSeats(sql`${personId}`)} < events.max_per_person AND NOT ${isBlockedBetween(personId, sql`${giverId}`)}
    AND ${eventListableTo(personId, ctx.settings.adultSpaces)} AND ${eventOpenTo(personId, ctx.now())}`;
