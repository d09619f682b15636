import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

const about = {
  personId: z.string(),
  eventId: z.string(),
  eventTitle: z.string(),
  /** By this the erasure of the creator finds the message. */
  creatorId: z.string(),
  creatorName: z.string(),
};
/** `startsAt` in epoch milliseconds, and the event's own zone. */
const when = { startsAt: z.number(), timeZone: z.string() };

export const eventMessages = {
  "event.seat_taken": z.object({ ...about, ...when, place: z.string(), quantity: z.number() }),
  "event.seat_offered": z.object({ ...about, quantity: z.number(), offerEndsAt: z.number() }),
  "event.offer_ended": z.object(about),
  /** The time, the place or the link changed. */
  "event.changed": z.object({ ...about, ...when, place: z.string() }),
  "event.canceled": z.object({ ...about, ...when }),
  /** A day before, or 15 minutes before. */
  "event.reminded": z.object({
    ...about,
    ...when,
    place: z.string(),
    ahead: z.enum(["day", "start"]),
  }),
};

export type EventMessage = MessageOf<typeof eventMessages>;
