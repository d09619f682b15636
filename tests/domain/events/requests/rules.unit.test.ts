import { expect, test } from "vitest";
import { requestProblem } from "#app/domain/events/requests/rules.ts";
import { mostSeats, seatProblem, waitingProblem } from "#app/domain/events/rules.ts";
import type { SeatRequest, SeatSnapshot } from "#app/domain/events/rules.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";

const NOW = 1_000 * DAY_MS;
type Asked = SeatSnapshot & { request: Pick<SeatRequest, "status"> | null };
const snapshot = (changed: Partial<Asked> = {}): Asked => ({
  status: "published",
  startsAt: NOW + DAY_MS,
  endsAt: NOW + DAY_MS + HOUR_MS,
  capacity: 2,
  seatsTaken: 0,
  seatsHeld: 0,
  seatsOffered: 0,
  maxPerPerson: 2,
  waitingCount: 0,
  isOpen: true,
  ownSeats: 0,
  isWaiting: false,
  offer: null,
  needsApproval: true,
  request: null,
  ...changed,
});

test.each([
  ["a first request", {}, null],
  ["a request at a full event", { seatsTaken: 2 }, null],
  ["a request again while one waits", { request: { status: "waiting" } }, null],
  ["a request after an approved one whose time is over", { request: { status: "approved" } }, null],
  ["a request after a refusal", { request: { status: "refused" } }, "refused"],
  ["after the start", { startsAt: NOW }, "started"],
  ["of a canceled event", { status: "canceled" }, "canceled"],
  ["of a draft", { status: "draft" }, "not_published"],
  ["by somebody whom the event does not admit", { isOpen: false }, "closed"],
  ["where nothing is for sale any more", { isOffSale: true }, "off_sale"],
  ["where none is needed", { needsApproval: false }, "not_needed"],
  ["with all seats already", { ownSeats: 2 }, "too_many"],
  ["with an offer", { offer: { quantity: 1, endsAt: NOW + 1 } }, "offered"],
] satisfies [string, Partial<Asked>, string | null][])("%s", (_, changed, problem) => {
  expect(requestProblem(snapshot(changed), 1, NOW)).toBe(problem);
});

test("without approval no seat is taken and nobody waits; an approved offer gives its seats only", () => {
  expect(seatProblem(snapshot(), 1, NOW)).toBe("approval");
  expect(waitingProblem(snapshot({ seatsTaken: 2 }), 1, NOW)).toBe("approval");
  const offered = snapshot({ seatsOffered: 1, offer: { quantity: 1, endsAt: NOW + 1 } });
  expect(seatProblem(offered, 1, NOW)).toBeNull();
  expect(seatProblem(offered, 2, NOW)).toBe("approval");
  expect(mostSeats(offered, NOW)).toBe(1);
});
