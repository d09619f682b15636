import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

const withoutPerson = {
  eventId: z.string(),
  eventTitle: z.string(),
  /** By this the erasure of the creator finds the message. */
  creatorId: z.string(),
  creatorName: z.string(),
};
const about = { personId: z.string(), ...withoutPerson };
/** Who passes a ticket on. */
const giver = { giverId: z.string(), giverName: z.string() };
/** `startsAt` in epoch milliseconds, and the event's own zone. */
const when = { startsAt: z.number(), timeZone: z.string() };

/**
 * The dates of a repeating event that the person has to do with, soonest first, where one change is
 * of several; empty where it is of one.
 */
const dates = z
  .array(z.object({ startsAt: z.number(), endsAt: z.number(), timeZone: z.string() }))
  .default([]);

/** How many orders the person paid at the event: above zero, the message speaks of the money. */
const hasPaid = z.number().default(0);

export const eventMessages = {
  "event.seat_taken": z.object({ ...about, ...when, place: z.string(), quantity: z.number() }),
  /** A member may accept the ticket of another one. */
  "event.ticket_offered": z.object({ ...about, ...when, ...giver, transferId: z.string() }),
  /** Whoever opens the link may accept the ticket. The address may have no account. */
  "event.ticket_mailed": z.object({
    ...withoutPerson,
    ...when,
    ...giver,
    transferId: z.string(),
    email: z.string(),
    link: z.string(),
  }),
  "event.ticket_accepted": z.object({
    ...about,
    ...when,
    receiverId: z.string(),
    receiverName: z.string(),
  }),
  /** The payment of a ticket that somebody passed on was refunded or lost. */
  "event.ticket_voided": z.object({ ...about, ...when }),
  "event.seat_offered": z.object({ ...about, quantity: z.number(), offerEndsAt: z.number() }),
  /** To the creator: somebody asks for seats at an event with approval. */
  "event.seat_requested": z.object({
    ...about,
    requesterId: z.string(),
    requesterName: z.string(),
    quantity: z.number(),
  }),
  /** `offerEndsAt`: until when a paid ticket waits to be bought; null for free seats. */
  "event.request_approved": z.object({
    ...about,
    ...when,
    quantity: z.number(),
    reply: z.string(),
    offerEndsAt: z.number().nullable(),
  }),
  "event.request_refused": z.object({ ...about, reply: z.string() }),
  "event.offer_ended": z.object(about),
  /** `changed` is empty in messages of before it was recorded. */
  "event.changed": z.object({
    ...about,
    ...when,
    endsAt: z.number().optional(),
    place: z.string(),
    hasPaid,
    changed: z.array(z.enum(["start", "end", "place", "link"])).default([]),
    dates,
  }),
  "event.canceled": z.object({ ...about, ...when, hasPaid, dates }),
  /** What the creator writes to everybody who comes. */
  "event.message_sent": z.object({ ...about, text: z.string() }),
  /** The creator was banned or is leaving: the event may not take place. */
  "event.page_closed": z.object({ ...about, ...when }),
  /** A day before, or 15 minutes before; `minutes` until the start when it was announced. */
  "event.reminded": z.object({
    ...about,
    ...when,
    place: z.string(),
    ahead: z.enum(["day", "start"]),
    /** Whether it has a link, and when the link is shown if it is not yet. */
    hasLink: z.boolean().default(false),
    linkOpensAt: z.number().nullable().default(null),
    minutes: z.number().optional(),
  }),
};

export type EventMessage = MessageOf<typeof eventMessages>;
