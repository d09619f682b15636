import fc from "fast-check";
import ICAL from "ical.js";
import { convertIcsCalendar } from "ts-ics";
import { describe, expect, test } from "vitest";
import {
  calendarFile,
  googleCalendarUrl,
  outlookCalendarUrl,
} from "#app/domain/events/calendar/rules/calendar-file.ts";
import type { CalendarEvent } from "#app/domain/events/calendar/rules/calendar-file.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";

const origin = "https://coreto.test";
const at = (text: string): number => Date.parse(text);

const event = (changed: Partial<CalendarEvent> = {}): CalendarEvent => ({
  id: "0199",
  title: "Roda de rabeca",
  description: "Traga; a sua, rabeca\ne venha.",
  place: "Praça da Matriz, Olinda",
  link: null,
  linkOpensAt: null,
  startsAt: at("2027-03-20T23:00Z"),
  endsAt: at("2027-03-21T01:00Z"),
  timeZone: "America/Sao_Paulo",
  status: "published",
  revision: 3,
  updatedAt: at("2027-01-05T12:00Z"),
  creatorName: "Ana Lira",
  ...changed,
});

/** Reads a file with ical.js, and its events with their zones. */
function parsed(text: string) {
  const root = new ICAL.Component(ICAL.parse(text) as unknown[]);
  for (const zone of root.getAllSubcomponents("vtimezone")) ICAL.TimezoneService.register(zone);
  return root.getAllSubcomponents("vevent").map((one) => new ICAL.Event(one));
}

const startMs = (one: ICAL.Event): number => one.startDate.toJSDate().getTime();

describe("a calendar file", () => {
  test("gives two parsers the same instants, texts, sequence and status", () => {
    const text = calendarFile([event()], { origin, name: "Eventos no Coreto" });
    const [one] = parsed(text);
    if (!one) throw new Error("no event");
    expect(startMs(one)).toBe(event().startsAt);
    expect(one.endDate.toJSDate().getTime()).toBe(event().endsAt);
    expect([one.summary, one.location, one.sequence]).toEqual([
      "Roda de rabeca",
      "Praça da Matriz, Olinda",
      6,
    ]);
    expect(one.description).toContain("Traga; a sua, rabeca\ne venha.");
    const other = convertIcsCalendar(undefined, text);
    expect(other.events?.[0]).toMatchObject({
      summary: "Roda de rabeca",
      sequence: 6,
      status: "CONFIRMED",
      location: "Praça da Matriz, Olinda",
    });
    expect(other.events?.[0]?.start.date.getTime()).toBe(event().startsAt);
    expect(other.timezones?.map(({ id }) => id)).toEqual(["America/Sao_Paulo"]);
  });

  test("rises in sequence when its link opens, and again with the next change", () => {
    const sequence = (changed: Partial<CalendarEvent>): number =>
      parsed(calendarFile([event(changed)], { origin, name: "Eventos" }))[0]?.sequence ?? NaN;
    const link = "https://encontro.exemplo.test/sala";
    const closed = sequence({ linkOpensAt: event().startsAt });
    const opened = sequence({ link });
    expect(opened).toBeGreaterThan(closed);
    expect(sequence({ revision: event().revision + 1 })).toBeGreaterThan(opened);
  });

  test("says the hour on the wall with its zone, which stands before the events", () => {
    const text = calendarFile([event()], { origin, name: "Eventos" });
    expect(text).toContain("DTSTART;TZID=America/Sao_Paulo:20270320T200000\r\n");
    expect(text.indexOf("BEGIN:VTIMEZONE")).toBeLessThan(text.indexOf("BEGIN:VEVENT"));
    expect(text).not.toMatch(/[^\r]\n/);
  });

  test("keeps its form with a title that has the words of the format", () => {
    const title = "BEGIN:VEVENT";
    const [one] = parsed(calendarFile([event({ title })], { origin, name: title }));
    expect([one?.summary, one && startMs(one)]).toEqual([title, event().startsAt]);
  });

  test("calls off a canceled event", () => {
    const [one] = parsed(calendarFile([event({ status: "canceled" })], { origin, name: "E" }));
    expect(one?.component.getFirstPropertyValue("status")).toBe("CANCELLED");
  });

  test("folds its lines at 75 bytes", () => {
    const text = calendarFile([event({ description: "ação ".repeat(500) })], {
      origin,
      name: "Eventos",
    });
    const longest = Math.max(
      ...text.split("\r\n").map((line) => new TextEncoder().encode(line).byteLength),
    );
    expect(longest).toBeLessThanOrEqual(75);
  });

  test("has the link only if it is given one", () => {
    const shown = (link: string | null) => calendarFile([event({ link })], { origin, name: "E" });
    expect(shown(null)).not.toContain("sala.exemplo");
    expect(shown("https://sala.exemplo.test/x").replaceAll("\r\n ", "")).toContain(
      "https://sala.exemplo.test/x",
    );
  });

  test("keeps the instant of any event through the changes of its zone's clocks", () => {
    const zones = ["America/New_York", "Europe/Lisbon", "Australia/Sydney", "America/Noronha"];
    fc.assert(
      fc.property(
        fc.integer({ min: at("2026-01-01") / MINUTE_MS, max: at("2029-01-01") / MINUTE_MS }),
        fc.constantFrom(...zones),
        (minute, timeZone) => {
          const startsAt = minute * MINUTE_MS;
          const text = calendarFile(
            [event({ startsAt, endsAt: startsAt + 24 * HOUR_MS, timeZone })],
            { origin, name: "E" },
          );
          ICAL.TimezoneService.reset();
          const [one] = parsed(text);
          // In the hour that happens twice a wall time cannot say which one it is.
          const apart = Math.abs((one ? startMs(one) : 0) - startsAt);
          expect([0, HOUR_MS]).toContain(apart);
          if (apart !== 0) expect(isRepeatedHour(startsAt, timeZone)).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });
});

function isRepeatedHour(instant: number, timeZone: string): boolean {
  const clock = new Intl.DateTimeFormat("en", { timeZone, dateStyle: "short", timeStyle: "short" });
  return [instant - HOUR_MS, instant + HOUR_MS].some(
    (other) => clock.format(other) === clock.format(instant),
  );
}

test("the links of Google and Outlook have the instants and texts", () => {
  const linked = { ...event(), details: "https://coreto.test/e?x=1&y=2" };
  const google = new URL(googleCalendarUrl(linked));
  expect(google.searchParams.get("dates")).toBe("20270320T230000Z/20270321T010000Z");
  expect(google.searchParams.get("details")).toBe("https://coreto.test/e?x=1&y=2");
  const outlook = new URL(outlookCalendarUrl(linked));
  expect(outlook.searchParams.get("startdt")).toBe("2027-03-20T23:00:00.000Z");
  expect(outlook.searchParams.get("subject")).toBe("Roda de rabeca");
});
