import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isEventLink,
  isLive,
  offerEnd,
  OFFER_LIFE_MS,
  parseTicketCode,
  remainingSeats,
  seatProblem,
  shownTicketCode,
  timesProblem,
  waitingProblem,
} from "#app/domain/events/rules.ts";
import { ticketCodeFromHex } from "#app/lib/ticket-code.ts";
import type { SeatSnapshot } from "#app/domain/events/rules.ts";
import {
  monthAfter,
  monthText,
  monthWeeks,
  parseMonth,
} from "#app/domain/events/calendar/rules/month.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";

const NOW = Date.UTC(2026, 10, 11, 15);

const snapshot = (changed: Partial<SeatSnapshot> = {}): SeatSnapshot => ({
  status: "published",
  startsAt: NOW + DAY_MS,
  endsAt: NOW + DAY_MS + HOUR_MS,
  capacity: 10,
  seatsTaken: 0,
  seatsHeld: 0,
  seatsOffered: 0,
  maxPerPerson: 2,
  waitingCount: 0,
  isOpen: true,
  ownSeats: 0,
  isWaiting: false,
  offer: null,
  ...changed,
});

const offer = { quantity: 1, endsAt: NOW + HOUR_MS };

test.each([
  ["a free seat", {}, 1, null],
  ["no limit", { capacity: null, seatsTaken: 9_999 }, 2, null],
  ["the last seat", { seatsTaken: 9 }, 1, null],
  ["one seat of two wanted", { seatsTaken: 9 }, 2, "few"],
  ["none", { seatsTaken: 10 }, 1, "full"],
  ["seats that are offered to others", { seatsTaken: 8, seatsOffered: 2 }, 1, "full"],
  ["seats that payments hold", { seatsTaken: 8, seatsHeld: 2 }, 1, "full"],
  ["no ticket for sale any more", { isOffSale: true }, 1, "off_sale"],
  ["a seat, but people wait", { seatsTaken: 9, waitingCount: 1 }, 1, "queue"],
  ["a seat, and only they wait", { seatsTaken: 9, waitingCount: 1, isWaiting: true }, 1, null],
  [
    "their offer",
    { seatsTaken: 9, seatsOffered: 1, isWaiting: true, offer, waitingCount: 3 },
    1,
    null,
  ],
  ["an offer of one, for two", { seatsTaken: 9, seatsOffered: 1, offer }, 2, "few"],
  ["an offer of one and a free seat", { seatsTaken: 8, seatsOffered: 1, offer }, 2, null],
  [
    "an offer of one and a seat for which others wait",
    { seatsTaken: 8, seatsOffered: 1, offer, waitingCount: 1 },
    2,
    "queue",
  ],
  [
    "an offer that ended",
    { seatsTaken: 9, seatsOffered: 1, offer: { ...offer, endsAt: NOW } },
    1,
    "full",
  ],
  ["all their seats", { ownSeats: 2 }, 1, "too_many"],
  ["more than a person may have", {}, 3, "too_many"],
  ["no access", { isOpen: false }, 1, "closed"],
  ["a canceled event", { status: "canceled" as const }, 1, "canceled"],
  ["a draft", { status: "draft" as const }, 1, "not_published"],
  ["an event that is over", { endsAt: NOW }, 1, "over"],
  ["an event that runs", { startsAt: NOW - HOUR_MS, endsAt: NOW + HOUR_MS }, 1, null],
  [
    "a seat of an event that runs, for which people waited",
    { startsAt: NOW, endsAt: NOW + HOUR_MS, seatsTaken: 9, waitingCount: 2 },
    1,
    null,
  ],
])("with %s, taking seats gives %s", (_, changed, quantity, expected) => {
  expect(seatProblem(snapshot(changed), quantity, NOW)).toBe(expected);
});

test.each([
  ["free seats", {}, "not_full"],
  ["no seat", { seatsTaken: 10 }, null],
  ["a seat for which others wait", { seatsTaken: 9, waitingCount: 2 }, null],
  ["no access", { seatsTaken: 10, isOpen: false }, "closed"],
  ["an event that runs", { seatsTaken: 10, startsAt: NOW - HOUR_MS }, "over"],
  ["all their seats", { seatsTaken: 10, ownSeats: 2 }, "too_many"],
])("with %s, joining the list gives %s", (_, changed, expected) => {
  expect(waitingProblem(snapshot(changed), 1, NOW)).toBe(expected);
});

test("whoever may not take a seat for lack of seats may wait, and nobody may do both", () => {
  const counts = fc.record({
    capacity: fc.option(fc.integer({ min: 1, max: 5 })),
    seatsTaken: fc.integer({ min: 0, max: 6 }),
    seatsHeld: fc.integer({ min: 0, max: 6 }),
    seatsOffered: fc.integer({ min: 0, max: 6 }),
    waitingCount: fc.integer({ min: 0, max: 3 }),
  });
  fc.assert(
    fc.property(counts, (changed) => {
      const found = snapshot(changed);
      const remaining = remainingSeats(found);
      expect(remaining === null || remaining >= 0).toBe(true);
      const canTake = seatProblem(found, 1, NOW) === null;
      const canWait = waitingProblem(found, 1, NOW) === null;
      expect(canTake).toBe(!canWait);
    }),
  );
});

test("an offer lives 12 hours, or until the start", () => {
  expect(offerEnd(NOW + 3 * DAY_MS, NOW)).toBe(NOW + OFFER_LIFE_MS);
  expect(offerEnd(NOW + HOUR_MS, NOW)).toBe(NOW + HOUR_MS);
});

test.each([
  ["an hour", DAY_MS, HOUR_MS, null],
  ["no time", DAY_MS, 0, "end_before_start"],
  ["less than none", DAY_MS, -HOUR_MS, "end_before_start"],
  ["14 days", DAY_MS, 14 * DAY_MS, null],
  ["10 years", DAY_MS, 3_650 * DAY_MS, "too_long"],
  ["an hour, in 10 years", 3_650 * DAY_MS, HOUR_MS, "too_far"],
  ["an hour, yesterday", -DAY_MS, HOUR_MS, "past"],
])("an event of %s", (_, ahead, length, expected) => {
  const startsAt = NOW + ahead;
  expect(timesProblem({ startsAt, endsAt: startsAt + length }, NOW)).toBe(expected);
});

test("an event is live from its start until its end", () => {
  const times = { status: "published" as const, startsAt: NOW, endsAt: NOW + HOUR_MS };
  expect([NOW - 1, NOW, NOW + HOUR_MS - 1, NOW + HOUR_MS].map((at) => isLive(times, at))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(isLive({ ...times, status: "canceled" }, NOW)).toBe(false);
});

test.each([
  ["https://sala.exemplo.test/roda?x=1", true],
  ["http://exemplo.test", true],
  ["javascript:alert(1)", false],
  ["data:text/html,oi", false],
  ["https://ana:senha@exemplo.test", false],
  ["https://localhost/x", false],
  ["exemplo.test", false],
  ["//exemplo.test", false],
])("%s is a link: %s", (text, isOne) => {
  expect(isEventLink(text)).toBe(isOne);
});

describe("a ticket code", () => {
  test("is read however it is typed", () => {
    const code = ticketCodeFromHex("00".repeat(6) + "1f".repeat(6));
    expect(code).toBe("000000ZZZZZZ");
    expect(shownTicketCode(code)).toBe("0000-00ZZ-ZZZZ");
    expect(parseTicketCode(" oooo-00zz zzzz ")).toBe(code);
    expect(parseTicketCode("0000")).toBeNull();
    expect(parseTicketCode("https://x.test")).toBeNull();
  });

  test("shown and read again is the same", () => {
    const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(secret, (bytes) => {
        const code = ticketCodeFromHex(Buffer.from(bytes).toString("hex"));
        expect(parseTicketCode(shownTicketCode(code).toLowerCase())).toBe(code);
      }),
    );
  });
});

describe("the month", () => {
  test("has whole weeks from Monday", () => {
    const weeks = monthWeeks({ year: 2026, month: 11 });
    expect(weeks[0]?.map(({ iso }) => iso)).toEqual([
      "2026-10-26",
      "2026-10-27",
      "2026-10-28",
      "2026-10-29",
      "2026-10-30",
      "2026-10-31",
      "2026-11-01",
    ]);
    expect(weeks.at(-1)?.at(-1)?.iso).toBe("2026-12-06");
    // Its 28 days begin on a Monday.
    expect(monthWeeks({ year: 2027, month: 2 })).toHaveLength(4);
  });

  test("is read from the address, and goes over the year", () => {
    expect(parseMonth("2026-12")).toEqual({ year: 2026, month: 12 });
    expect(
      ["2026-13", "2026-1", "abc", "", null, "9999-01"].map((text) => parseMonth(text)),
    ).toEqual([null, null, null, null, null, null]);
    expect(monthText(monthAfter({ year: 2026, month: 12 }, 1))).toBe("2027-01");
    expect(monthText(monthAfter({ year: 2026, month: 1 }, -1))).toBe("2025-12");
  });
});
