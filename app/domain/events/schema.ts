import { z } from "zod";
import {
  CAPACITY_MAX,
  EVENT_ACCESS,
  EVENT_DAYS_MAX,
  EVENT_DESCRIPTION_MAX,
  EVENT_LINK_MAX,
  EVENT_PLACE_MAX,
  EVENT_PLANS_MAX,
  EVENT_TITLE_MAX,
  isEventLink,
  SEATS_PER_PERSON_MAX,
  TICKET_KIND_NAME_MAX,
} from "./rules.ts";
import { LINK_CHOICES, linkMinutesOf, LINK_MINUTES_MAX } from "#app/domain/events/rules/link.ts";
import type { EventQuestion } from "#app/domain/events/questions/rules.ts";
import type { TicketKind } from "#app/domain/events/rules/tickets.ts";
import type { EventAccess, EventStatus, SeatRequest, SeatSnapshot } from "./rules.ts";
import { typedTimes, wallsOf } from "#app/domain/events/times/rules/zone-rules.ts";
import type { SavedWalls } from "#app/domain/events/times/rules/zone-rules.ts";
import { namesSchema } from "#app/domain/events/schema/names.ts";
import { zonePlace } from "#app/domain/events/times/rules.ts";
import { isTimeZone, parseWallTime } from "#app/domain/events/times/rules/wall-time.ts";
import type { WallTimeProblem } from "#app/domain/events/times/rules/wall-time.ts";
import { ALT_MAX } from "#app/domain/media/rules/limits.ts";
import { optionalImageSchema } from "#app/domain/media/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { priceSchema } from "#app/domain/plans/schema.ts";
import { cleanLine, cleanText } from "#app/domain/text.ts";
import { DAY_MS, TIME_ZONE } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

const REQUIRED = "Campo obrigatório";

const whole = (message: string, min: number, max: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,7}$/, message)
    .transform(Number)
    .refine((count) => count >= min && count <= max, message);

const blankAsAbsent = (typed: unknown): unknown =>
  typeof typed === "string" && typed.trim() === "" ? undefined : typed;

const line = (max: number) =>
  z
    .string()
    .transform(cleanLine)
    .pipe(z.string().max(max, `Use até ${max} caracteres.`));

const listOf = (message: string) =>
  z
    .union([z.string().transform((one) => [one]), z.array(z.string())])
    .default([])
    .pipe(z.array(z.string().regex(/^[0-9a-z-]{1,64}$/, message)).max(EVENT_PLANS_MAX, message));

/** A time whose text is right; whether the clocks of its zone skip it is checked later. */
const typedTime = z
  .string()
  .default("")
  .superRefine((text, check) => {
    const parsed = parseWallTime(text, "UTC");
    if (typeof parsed === "string")
      check.addIssue({ code: "custom", message: timeMessage(parsed) });
  });

const fields = z.object({
  title: line(EVENT_TITLE_MAX).pipe(z.string().min(1, REQUIRED)),
  description: z
    .string()
    .default("")
    .transform((text) => cleanText(text).trim())
    .pipe(z.string().max(EVENT_DESCRIPTION_MAX, "Use até 5.000 caracteres.")),
  startsAt: typedTime,
  endsAt: typedTime,
  timeZone: z.string().trim().default(TIME_ZONE).refine(isTimeZone, {
    message: "Não conhecemos este fuso horário. Escolha um da lista.",
  }),
  place: line(EVENT_PLACE_MAX).default(""),
  link: z
    .string()
    .trim()
    .default("")
    .pipe(z.string().max(EVENT_LINK_MAX, "O link pode ter até 1.000 caracteres."))
    .refine((text) => text === "" || isEventLink(text), {
      message: "Use um endereço que comece com https:// ou http://.",
    })
    .transform((text) => (text === "" ? null : text)),
  linkFrom: z.enum(LINK_CHOICES, "Escolha quando o link aparece.").default("seat"),
  linkMinutes: z.string().trim().default(""),
  capacity: z
    .preprocess(
      blankAsAbsent,
      whole("Escreva um número de 1 a 100.000, ou deixe em branco.", 1, CAPACITY_MAX).optional(),
    )
    .transform((count): number | null => count ?? null),
  maxPerPerson: whole(
    `Escreva um número de 1 a ${SEATS_PER_PERSON_MAX}.`,
    1,
    SEATS_PER_PERSON_MAX,
  ).default(1),
  refundHours: z
    .enum(["0", "24", "48", "168", "law"], "Escolha até quando devolver.")
    .default("48")
    .transform((hours): number | null => (hours === "law" ? null : Number(hours))),
  needsApproval: z
    .literal("true")
    .optional()
    .transform((value) => value === "true"),
  access: z.enum(EVENT_ACCESS, "Escolha quem pode ir.").default("public"),
  planIds: listOf("Escolha entre os seus planos."),
  cover: optionalImageSchema,
  coverAlt: z.string().trim().max(ALT_MAX, `Use até ${ALT_MAX} caracteres.`).default(""),
  removesCover: z
    .literal("true")
    .optional()
    .transform((value) => value === "true"),
  /** The revision that the form was shown with. */
  revision: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .optional(),
  /** Sent by the button "Publicar evento". */
  publish: z
    .literal("true")
    .optional()
    .transform((value) => value === "true"),
});

/**
 * The form of an event. Its times are read in its zone, and become instants. A time that the clocks
 * skip is refused, unless the date of a repeating event was `saved` with it.
 */
export const eventSchemaOf = (saved: SavedWalls | null) =>
  fields.transform((form, check) => {
    const refuse = (field: string, message: string): void =>
      check.addIssue({ code: "custom", path: [field], message });
    const { timeZone } = form;
    const { startsAt, startsWall, endsAt, endsWall } = typedTimes(form, saved);
    const skipped = skippedMessage(form.timeZone);
    if (typeof startsAt === "string") refuse("startsAt", skipped);
    if (typeof endsAt === "string") refuse("endsAt", skipped);
    const linkMinutes = linkMinutesOf(form);
    if (linkMinutes === undefined)
      refuse(
        "linkMinutes",
        `Escreva um número de minutos, de 1 a ${LINK_MINUTES_MAX} (uma semana).`,
      );
    if (form.place === "" && form.link === null)
      refuse("place", "Escreva o lugar, ou o link de um evento on-line.");
    if (form.access === "plans" && form.planIds.length === 0)
      refuse("planIds", "Escolha pelo menos um plano.");
    if (form.capacity !== null && form.maxPerPerson > form.capacity)
      refuse("maxPerPerson", "Uma pessoa não pode ter mais vagas do que o evento.");
    if (typeof startsAt === "string" || typeof endsAt === "string") return z.NEVER;
    if (endsAt <= startsAt) refuse("endsAt", "O fim precisa ser depois do começo.");
    if (endsAt - startsAt > EVENT_DAYS_MAX * DAY_MS)
      refuse("endsAt", `Um evento dura até ${EVENT_DAYS_MAX} dias.`);
    const planIds = form.access === "plans" ? form.planIds : [];
    const walls = wallsOf({ startsAt, endsAt, timeZone, startsWall, endsWall });
    return { ...form, ...walls, startsAt, endsAt, planIds, linkMinutes: linkMinutes ?? null };
  });

/** The form of a new event. */
export const eventSchema = eventSchemaOf(null);

const skippedMessage = (zone: string): string =>
  `Neste dia os relógios de ${zonePlace(zone)} pulam esta hora. Escolha outra.`;

function timeMessage(problem: WallTimeProblem): string {
  if (problem === "missing") return REQUIRED;
  if (problem === "no_such_day") return "Este dia não existe. Confira o dia e o mês.";
  return "Escreva o dia e a hora, como 20/12/2026 20:00.";
}

/** The form of a kind of ticket. Its times are read in the zone of the event. */
export const ticketKindSchema = (timeZone: string) =>
  z
    .object({
      name: line(TICKET_KIND_NAME_MAX).pipe(z.string().min(1, REQUIRED)),
      price: z
        .string()
        .trim()
        .default("")
        .transform((text, check): Cents => {
          if (text === "" || /^0+(?:[,.]0{1,2})?$/.test(text)) return 0;
          const price = priceSchema.safeParse(text);
          if (price.success) return price.data;
          check.addIssue({ code: "custom", message: price.error.issues[0]?.message });
          return z.NEVER;
        }),
      kindCapacity: z
        .preprocess(
          blankAsAbsent,
          whole(
            "Escreva um número de 1 a 100.000, ou deixe em branco.",
            1,
            CAPACITY_MAX,
          ).optional(),
        )
        .transform((count): number | null => count ?? null),
      saleStartsAt: optionalTime(timeZone),
      saleEndsAt: optionalTime(timeZone),
    })
    .superRefine(({ saleStartsAt, saleEndsAt }, check) => {
      if (saleStartsAt !== null && saleEndsAt !== null && saleEndsAt <= saleStartsAt)
        check.addIssue({
          code: "custom",
          path: ["saleEndsAt"],
          message: "A venda precisa terminar depois de começar.",
        });
    });

function optionalTime(timeZone: string) {
  return z
    .string()
    .trim()
    .default("")
    .transform((text, check): Instant | null => {
      const parsed = text === "" ? null : parseWallTime(text, timeZone);
      if (typeof parsed !== "string") return parsed;
      const message = parsed === "skipped" ? skippedMessage(timeZone) : timeMessage(parsed);
      check.addIssue({ code: "custom", message });
      return z.NEVER;
    });
}

/** The form "Vou", and the one of the waiting list. */
export const quantitySchema = z.object({
  quantity: whole(`Escolha de 1 a ${SEATS_PER_PERSON_MAX} vagas.`, 1, SEATS_PER_PERSON_MAX).default(
    1,
  ),
});

/** The form of a seat, with the kind of ticket where the event has kinds. */
export const seatSchema = quantitySchema
  .extend({
    kindId: z
      .string()
      .regex(/^[0-9a-z-]{0,64}$/, "Escolha um tipo de ingresso.")
      .default("")
      .transform((id) => (id === "" ? null : id)),
    names: namesSchema,
  })
  .refine(({ names, quantity }) => names.length <= quantity, {
    path: ["names"],
    message: "Há mais nomes do que vagas. Escolha mais vagas, ou apague nomes.",
  });

/** What an event's form saves. `revision` is absent for a new event. */
export type EventInput = {
  title: string;
  description: string;
  startsAt: Instant;
  endsAt: Instant;
  timeZone: string;
  /** Its times as typed, where the clocks skip one of them on its day (`wallsOf`). */
  startsWall?: string | null;
  endsWall?: string | null;
  place: string;
  link: string | null;
  /** From how many minutes before the start the link is shown; null with the seat. */
  linkMinutes: number | null;
  capacity: number | null;
  maxPerPerson: number;
  /** Until how many hours before the start a ticket is refunded; null for the law's seven days. */
  refundHours: number | null;
  access: EventAccess;
  /** Seats are asked for, and the creator answers each request. */
  needsApproval: boolean;
  planIds: string[];
  /** A new cover; null keeps the current one. */
  cover: { bytes: ArrayBuffer } | null;
  coverAlt: string;
  removesCover: boolean;
};

/** An event as a list shows it. */
export type EventCard = {
  id: string;
  title: string;
  place: string;
  startsAt: Instant;
  endsAt: Instant;
  timeZone: string;
  status: EventStatus;
  capacity: number | null;
  /** The lowest price of its ticket kinds (centavos); null without kinds. */
  priceFromCents: Cents | null;
  seatsTaken: number;
  seatsHeld: number;
  seatsOffered: number;
  creatorName: string;
  creatorUsername: string;
  /** The viewer's own seats. */
  ownSeats: number;
};

/** An event as one viewer sees it, with all that decides whether they get a seat. */
export type EventView = EventCard &
  SeatSnapshot & {
    creatorId: string;
    description: string;
    access: EventAccess;
    planIds: string[];
    /** The repeating event of which it is one date. */
    seriesId: string | null;
    revision: number;
    updatedAt: Instant;
    cover: { mediaId: string; alt: string } | null;
    /** What it asks who takes a seat. */
    questions: EventQuestion[];
    needsApproval: boolean;
    /** The viewer's request for seats; null without one. */
    request: SeatRequest | null;
    /** When a moderator hid it; null while it is shown. */
    heldAt: Instant | null;
    /** Only for people with a seat from its time on, and for who runs the event. */
    link: string | null;
    /** When a link that is not shown yet will be to people with a seat. */
    linkOpensAt: Instant | null;
    isOnline: boolean;
    refundHours: number | null;
    movedAt: Instant | null;
    /** It sells tickets, or sold some: no seat is taken without a kind. */
    hasKinds: boolean;
    /** One of its kinds has a price, also one that left the sale: its refund rule is shown. */
    isPaid: boolean;
    ticketKinds: TicketKind[];
    /** The viewer's running payment, and how long it holds its seats. */
    payment: {
      orderId: string;
      chargeId: string;
      quantity: number;
      kindId: string;
      endsAt: Instant | null;
    } | null;
  };
