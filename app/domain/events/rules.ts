import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { CODE_DIGITS, TICKET_CODE_LENGTH } from "#app/lib/ticket-code.ts";

export const EVENT_TITLE_MAX = 120;
export const EVENT_DESCRIPTION_MAX = 5_000;
export const EVENT_PLACE_MAX = 300;
export const TICKET_KIND_NAME_MAX = 60;
export const HOLDER_NAME_MAX = 80;
export const TICKET_KINDS_MAX = 20;
export const EVENT_MESSAGE_MAX = 1_000;
export const EVENT_LINK_MAX = 1_000;
export const CAPACITY_MAX = 100_000;
export const SEATS_PER_PERSON_MAX = 10;
export const EVENT_PLANS_MAX = 50;
/** The longest event: a festival with its weekends. */
export const EVENT_DAYS_MAX = 14;
/** How far ahead an event may start. */
const EVENT_YEARS_AHEAD_MAX = 3;
/** How long a freed seat is offered to the next person of the waiting list. */
export const OFFER_LIFE_MS = 12 * HOUR_MS;
/** When people with a seat are reminded, before the start. */
export const REMINDERS = {
  day: 24 * HOUR_MS,
  start: 15 * MINUTE_MS,
} as const;

export type EventStatus = "draft" | "published" | "canceled";

export const EVENT_ACCESS = ["public", "followers", "subscribers", "plans"] as const;
export type EventAccess = (typeof EVENT_ACCESS)[number];

/** The counts of an event. `capacity` is null without a limit. */
export type SeatCounts = {
  capacity: number | null;
  seatsTaken: number;
  /** Held by running payments. */
  seatsHeld: number;
  seatsOffered: number;
};

/**
 * Returns how many seats are left for everybody: capacity less those taken, those held by running
 * payments and those offered to the waiting list. Never below zero; null without a limit.
 */
export function remainingSeats({
  capacity,
  seatsTaken,
  seatsHeld,
  seatsOffered,
}: SeatCounts): number | null {
  return capacity === null ? null : Math.max(0, capacity - seatsTaken - seatsHeld - seatsOffered);
}

/** All that the decision about seats needs to know of an event and of one person. */
export type SeatSnapshot = SeatCounts & {
  status: EventStatus;
  startsAt: Instant;
  endsAt: Instant;
  maxPerPerson: number;
  /** People of the waiting list who have no offer, this person included. */
  waitingCount: number;
  /** The person may see the event and its access rule admits them. */
  isOpen: boolean;
  ownSeats: number;
  isWaiting: boolean;
  /** Seats that are offered to this person, and until when. */
  offer: { quantity: number; endsAt: Instant } | null;
  /** It has kinds of tickets, and none is for sale any more. */
  isOffSale?: boolean;
  /** Seats are asked for, and the creator answers each request. */
  needsApproval?: boolean;
};

/** A request for seats as its person sees it. */
export type SeatRequest = {
  status: "waiting" | "approved" | "refused";
  quantity: number;
  kindId: string | null;
  /** What the creator wrote with the answer; empty without. */
  reply: string;
};

export type SeatProblem =
  | "canceled"
  | "not_published"
  | "over"
  | "closed"
  | "off_sale"
  | "kind_soon"
  | "kind_over"
  | "kind_few"
  | "too_many"
  | "approval"
  | "queue"
  | "few"
  | "full";

/**
 * Returns why a person cannot take `quantity` seats at `now`, or null. What is offered to them
 * counts as theirs; the rest must be free for everybody. The waiting list ends at the start: from
 * then on a free seat is anybody's.
 */
export function seatProblem(
  snapshot: SeatSnapshot,
  quantity: number,
  now: Instant,
): SeatProblem | null {
  const early = admissionProblem(snapshot, now);
  if (early) return early;
  if (snapshot.ownSeats + quantity > snapshot.maxPerPerson) return "too_many";
  const beyondOffer = quantity - livingOffer(snapshot, now);
  if (beyondOffer <= 0) return null;
  if (snapshot.needsApproval) return "approval";
  const others = snapshot.waitingCount - (isQueued(snapshot) ? 1 : 0);
  const remaining = remainingSeats(snapshot);
  if (remaining === 0) return beyondOffer < quantity ? "few" : "full";
  if (remaining !== null && remaining < beyondOffer) return "few";
  const isListRunning = snapshot.startsAt > now;
  return remaining !== null && others > 0 && isListRunning ? "queue" : null;
}

/** Returns whether an event may still be changed: it is not canceled, nor over once published. */
export const isChangeable = (
  { status, endsAt }: Pick<SeatSnapshot, "status" | "endsAt">,
  now: Instant,
): boolean => status === "draft" || (status === "published" && endsAt > now);

/** Returns how many seats are held for the person at `now`; 0 without an offer. */
export function livingOffer({ offer }: Pick<SeatSnapshot, "offer">, now: Instant): number {
  return offer !== null && offer.endsAt > now ? offer.quantity : 0;
}

/** Returns how many seats a person may choose at `now`: their offer, and what is free besides. */
export function mostSeats(snapshot: SeatSnapshot, now: Instant): number {
  const allowed = Math.max(0, snapshot.maxPerPerson - snapshot.ownSeats);
  const counts = Array.from({ length: allowed }, (_, index) => allowed - index);
  return counts.find((quantity) => seatProblem(snapshot, quantity, now) === null) ?? 0;
}

export type WaitingProblem = SeatProblem | "not_full";

/** Returns why a person cannot join the waiting list at `now`, or null. */
export function waitingProblem(
  snapshot: SeatSnapshot,
  quantity: number,
  now: Instant,
): WaitingProblem | null {
  const early = admissionProblem(snapshot, now);
  if (early) return early;
  if (snapshot.needsApproval) return "approval";
  if (snapshot.startsAt <= now) return "over";
  if (snapshot.ownSeats + quantity > snapshot.maxPerPerson) return "too_many";
  const remaining = remainingSeats(snapshot);
  const isFree = remaining === null || (remaining >= quantity && snapshot.waitingCount === 0);
  return isFree ? "not_full" : null;
}

const isQueued = ({ isWaiting, offer }: SeatSnapshot): boolean => isWaiting && offer === null;

function admissionProblem(
  {
    status,
    endsAt,
    isOpen,
    isOffSale,
  }: Pick<SeatSnapshot, "status" | "endsAt" | "isOpen" | "isOffSale">,
  now: Instant,
): SeatProblem | null {
  if (status === "canceled") return "canceled";
  if (status === "draft") return "not_published";
  if (endsAt <= now) return "over";
  if (!isOpen) return "closed";
  return isOffSale ? "off_sale" : null;
}

/** Returns when an offer that is made at `now` ends: after 12 hours, or at the start. */
export const offerEnd = (startsAt: Instant, now: Instant): Instant =>
  Math.min(now + OFFER_LIFE_MS, startsAt);

export type TimesProblem = "end_before_start" | "too_long" | "too_far" | "past";

/** Returns why an event cannot take place at these times, or null. */
export function timesProblem(
  { startsAt, endsAt }: { startsAt: Instant; endsAt: Instant },
  now: Instant,
): TimesProblem | null {
  if (endsAt <= startsAt) return "end_before_start";
  if (endsAt - startsAt > EVENT_DAYS_MAX * DAY_MS) return "too_long";
  if (endsAt <= now) return "past";
  return startsAt - now > EVENT_YEARS_AHEAD_MAX * 366 * DAY_MS ? "too_far" : null;
}

/** What everybody with a seat is told of when it changes. */
export type AnnouncedChange = "start" | "end" | "place" | "link";

type Announced = {
  startsAt: Instant;
  endsAt: Instant;
  timeZone: string;
  place: string;
  link: string | null;
};

/** Returns what of an event changed that its people are told of. Another zone is another start. */
export function announcedChanges(before: Announced, after: Announced): AnnouncedChange[] {
  const isZoneSame = before.timeZone === after.timeZone;
  const changes: [AnnouncedChange, boolean][] = [
    ["start", before.startsAt !== after.startsAt || !isZoneSame],
    ["end", before.endsAt !== after.endsAt],
    ["place", before.place !== after.place],
    ["link", before.link !== after.link],
  ];
  return changes.filter(([, isChanged]) => isChanged).map(([change]) => change);
}

/** Whether an event takes place at `now`. */
export const isLive = (
  { status, startsAt, endsAt }: { status: EventStatus; startsAt: Instant; endsAt: Instant },
  now: Instant,
): boolean => status === "published" && startsAt <= now && now < endsAt;

/** Whether a link is an http or https address without a password. */
export function isEventLink(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    (url.protocol === "https:" || url.protocol === "http:") &&
    url.hostname.includes(".") &&
    url.username === "" &&
    url.password === ""
  );
}

/** The event's page for visitors. */
export const publicEventPath = (username: string, eventId: string): string =>
  `/space/${username}/public/events/${eventId}`;

/** Formats a code for people, in groups of four. */
export const shownTicketCode = (code: string): string => code.match(/.{4}/g)?.join("-") ?? code;

/**
 * Reads a typed or scanned code: case, spaces and hyphens do not count, and look-alikes are their
 * digits. Null if it is none.
 */
export function parseTicketCode(typed: string): string | null {
  const code = typed
    .toUpperCase()
    .replaceAll(/[\s-]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
  return code.length === TICKET_CODE_LENGTH &&
    [...code].every((digit) => CODE_DIGITS.includes(digit))
    ? code
    : null;
}
