import { z } from "zod";
import type { EventCard, EventView } from "#app/domain/events/schema.ts";
import { remainingOfKind } from "#app/domain/events/rules/tickets.ts";
import { remainingSeats } from "#app/domain/events/rules.ts";

/** The schemas of `/api/v1/events`. */

const EVENTS_PAGE_MAX = 50;
const LIMIT_MESSAGE = `use um número inteiro de 1 a ${EVENTS_PAGE_MAX}`;

const cardShape = {
  id: z.string(),
  title: z.string(),
  user: z.object({ name: z.string(), username: z.string() }),
  place: z.string().describe("Empty for an event that is only online."),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  timeZone: z.string().describe("The IANA zone of the event."),
  status: z.enum(["draft", "published", "canceled"]),
  capacity: z.int().nullable().describe("Null without a limit."),
  remaining: z.int().min(0).nullable().describe("Seats left; null without a limit."),
  priceFromCents: z
    .int()
    .min(0)
    .nullable()
    .describe("The lowest price of a ticket, in centavos; null where none is on sale."),
  ownSeats: z.int().min(0).describe("Seats of whoever asks."),
};

export const apiEventSchema = z.object({
  ...cardShape,
  description: z.string(),
  access: z.enum(["public", "followers", "subscribers", "plans"]),
  blocked: z.boolean().describe("True when whoever asks may not take a seat."),
  link: z.string().describe("Empty without a seat, and before `linkOpensAt`."),
  linkOpensAt: z.iso
    .datetime()
    .nullable()
    .describe("When people with a seat will see the link; null if they see it, or there is none."),
  waitingCount: z.int().min(0),
  ticketKinds: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      priceCents: z.int().min(0).describe("In centavos; 0 for a free kind."),
      remaining: z
        .int()
        .min(0)
        .nullable()
        .describe("Tickets of this kind that are left; null without a limit of its own."),
      saleStartsAt: z.iso.datetime().nullable(),
      saleEndsAt: z.iso.datetime().nullable(),
    }),
  ),
});
export type ApiEvent = z.infer<typeof apiEventSchema>;

const apiEventCardSchema = z.object(cardShape);

export const apiEventListSchema = z.object({
  items: z.array(apiEventCardSchema),
  next: z.string().nullable().describe("The `cursor` of the next page; null at the end."),
});
export type ApiEventList = z.infer<typeof apiEventListSchema>;

export const apiTicketListSchema = z.object({
  items: z.array(
    z.object({
      event: apiEventCardSchema,
      code: z.string(),
      link: z.string().describe("Empty without a link, and before `linkOpensAt`."),
      linkOpensAt: z.iso.datetime().nullable(),
      checkedInAt: z.iso.datetime().nullable(),
    }),
  ),
});
export type ApiTicketList = z.infer<typeof apiTicketListSchema>;

/** `?cursor&limit` of the list. */
export const eventsQuerySchema = z.object({
  cursor: z.string().optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, LIMIT_MESSAGE)
    .transform(Number)
    .default(EVENTS_PAGE_MAX)
    .refine((limit) => limit >= 1 && limit <= EVENTS_PAGE_MAX, LIMIT_MESSAGE),
});

export function apiEventCard(event: EventCard): z.infer<typeof apiEventCardSchema> {
  return {
    id: event.id,
    title: event.title,
    user: { name: event.creatorName, username: event.creatorUsername },
    place: event.place,
    startsAt: new Date(event.startsAt).toISOString(),
    endsAt: new Date(event.endsAt).toISOString(),
    timeZone: event.timeZone,
    status: event.status,
    capacity: event.capacity,
    remaining: remainingSeats(event),
    priceFromCents: event.priceFromCents,
    ownSeats: event.ownSeats,
  };
}

export const isoOrNull = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString();

export function apiEvent(event: EventView): ApiEvent {
  return {
    ...apiEventCard(event),
    description: event.description,
    access: event.access,
    blocked: !event.isOpen,
    link: event.link ?? "",
    linkOpensAt: isoOrNull(event.linkOpensAt),
    waitingCount: event.waitingCount,
    ticketKinds: event.ticketKinds.map((kind) => ({
      id: kind.id,
      name: kind.name,
      priceCents: kind.priceCents,
      remaining: remainingOfKind(kind),
      saleStartsAt: isoOrNull(kind.saleStartsAt),
      saleEndsAt: isoOrNull(kind.saleEndsAt),
    })),
  };
}
