import ical, { ICalCalendarMethod, ICalEventStatus } from "ical-generator";
import type { EventStatus } from "#app/domain/events/rules.ts";
import { linkOpensText } from "#app/domain/events/rules/link.ts";
import { wallTimeOf, zoneChanges, zoneOffsetMs } from "#app/domain/events/times/rules/wall-time.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** What a calendar entry is made of. */
export type CalendarEvent = {
  id: string;
  title: string;
  description: string;
  place: string;
  link: string | null;
  /** When a person with a seat will see the link. */
  linkOpensAt: Instant | null;
  startsAt: Instant;
  endsAt: Instant;
  timeZone: string;
  status: EventStatus;
  revision: number;
  updatedAt: Instant;
  creatorName: string;
};

const YEAR_MS = 366 * DAY_MS;

/**
 * Builds an iCalendar file (RFC 5545). Times are local with their zone, so that an entry stays at
 * its hour when a country changes its clock rules. SEQUENCE rises with the revision, and when the
 * link opens; a canceled event has the status CANCELLED. `name` is the calendar's.
 */
export function calendarFile(
  events: readonly CalendarEvent[],
  { origin, name }: { origin: string; name: string },
): string {
  const calendar = ical({
    name,
    method: ICalCalendarMethod.PUBLISH,
    prodId: { company: "Coreto", product: "Eventos", language: "PT" },
  });
  const host = new URL(origin).host;
  for (const event of events) {
    const url = `${origin}/events/${event.id}`;
    calendar.createEvent({
      id: `${event.id}@${host}`,
      stamp: new Date(event.updatedAt),
      start: wallClock(event.startsAt, event.timeZone),
      end: wallClock(event.endsAt, event.timeZone),
      timezone: event.timeZone,
      sequence: sequenceOf(event),
      status: event.status === "canceled" ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      summary: event.title,
      description: [event.description, linkText(event), `${event.creatorName} · ${url}`]
        .filter(Boolean)
        .join("\n\n"),
      ...(event.place || event.link ? { location: event.place || (event.link ?? "") } : {}),
      url,
    });
  }
  return withZones(calendar.toString(), events);
}

/** Two numbers for each revision: before its link is shown, and from then on. */
const sequenceOf = ({ revision, link }: CalendarEvent): number =>
  revision * 2 + (link === null ? 0 : 1);

const linkText = ({ link, linkOpensAt, timeZone }: CalendarEvent): string | null =>
  link ?? (linkOpensAt === null ? null : linkOpensText(linkOpensAt, timeZone));

/** The library prints a date by its local fields, whatever the machine's zone is. */
function wallClock(at: Instant, zone: string): Date {
  const { year, month, day, hour, minute } = wallTimeOf(at, zone);
  return new Date(year, month - 1, day, hour, minute);
}

/** Puts a VTIMEZONE of each zone before the first entry. */
function withZones(text: string, events: readonly CalendarEvent[]): string {
  const ranges = new Map<string, { from: Instant; to: Instant }>();
  for (const { timeZone, startsAt, endsAt } of events) {
    const range = ranges.get(timeZone);
    ranges.set(timeZone, {
      from: Math.min(range?.from ?? startsAt, startsAt),
      to: Math.max(range?.to ?? endsAt, endsAt),
    });
  }
  const zones = [...ranges].map(([zone, range]) => zoneComponent(zone, range)).join("");
  // With its line break: a title may have these words too.
  const before = text.indexOf("\r\nBEGIN:VEVENT");
  const first = before + "\r\n".length;
  return before === -1 ? text : text.slice(0, first) + zones + text.slice(first);
}

/**
 * Describes a zone by its changes from a year before `from` to a year after `to`: one observance
 * for each (RFC 5545, 3.6.5).
 */
function zoneComponent(zone: string, { from, to }: { from: Instant; to: Instant }): string {
  const start = from - YEAR_MS;
  const changes = zoneChanges(zone, start, to + YEAR_MS);
  const first = zoneOffsetMs(start, zone);
  const standard = Math.min(first, ...changes.map(({ toMs }) => toMs));
  const observances = [{ at: start, fromMs: first, toMs: first }, ...changes].map(
    ({ at, fromMs, toMs }) => {
      const kind = toMs > standard ? "DAYLIGHT" : "STANDARD";
      return [
        `BEGIN:${kind}`,
        `DTSTART:${localStamp(at + fromMs)}`,
        `TZOFFSETFROM:${offsetText(fromMs)}`,
        `TZOFFSETTO:${offsetText(toMs)}`,
        `END:${kind}`,
      ];
    },
  );
  const lines = ["BEGIN:VTIMEZONE", `TZID:${zone}`, ...observances.flat(), "END:VTIMEZONE"];
  return `${lines.join("\r\n")}\r\n`;
}

/** Formats `20261220T200000` from a time whose UTC fields are local ones. */
const localStamp = (wall: Instant): string =>
  new Date(Math.floor(wall / MINUTE_MS) * MINUTE_MS)
    .toISOString()
    .slice(0, 19)
    .replaceAll(/[-:]/g, "");

/** Formats `-0300`. */
function offsetText(ms: number): string {
  const minutes = Math.abs(Math.round(ms / MINUTE_MS));
  const two = (count: number): string => String(count).padStart(2, "0");
  return `${ms < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`;
}

type LinkedEvent = Pick<CalendarEvent, "title" | "startsAt" | "endsAt" | "place"> & {
  details: string;
};

const utcStamp = (at: Instant): string =>
  new Date(at).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");

/** The address that opens Google Calendar with the event filled in. */
export function googleCalendarUrl(event: LinkedEvent): string {
  const url = new URL("https://calendar.google.com/calendar/render");
  url.search = new URLSearchParams({
    action: "TEMPLATE",
    text: event.title,
    dates: `${utcStamp(event.startsAt)}/${utcStamp(event.endsAt)}`,
    details: event.details,
    location: event.place,
  }).toString();
  return url.href;
}

/** The address that opens Outlook's calendar with the event filled in. */
export function outlookCalendarUrl(event: LinkedEvent): string {
  const url = new URL("https://outlook.live.com/calendar/0/deeplink/compose");
  url.search = new URLSearchParams({
    path: "/calendar/action/compose",
    rru: "addevent",
    subject: event.title,
    startdt: new Date(event.startsAt).toISOString(),
    enddt: new Date(event.endsAt).toISOString(),
    body: event.details,
    location: event.place,
  }).toString();
  return url.href;
}
