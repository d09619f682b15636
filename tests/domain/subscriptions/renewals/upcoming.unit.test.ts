import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COMP_WITHOUT_END } from "#app/domain/subscriptions/comps/rules.ts";
import {
  upcomingStep,
  endingGiftOrComp,
  canSubscribeAfter,
} from "#app/domain/subscriptions/renewals/rules/upcoming.ts";
import { addDays, DAY_MS, instantOf, MINUTE_MS } from "#app/domain/time.ts";

const now = instantOf({ year: 2026, month: 3, day: 10 }, 36_000_000);
const gift = {
  id: "g",
  status: "canceled" as const,
  accessUntil: now + 9 * DAY_MS,
  giftedBy: "bia",
  compEndsAt: null,
};
const comp = {
  id: "c",
  status: "active" as const,
  accessUntil: now + 9 * DAY_MS,
  giftedBy: null,
  compEndsAt: now + 9 * DAY_MS,
};
const paid = {
  id: "p",
  status: "active" as const,
  accessUntil: now + 9 * DAY_MS,
  giftedBy: null,
  compEndsAt: null,
};
const ends = (id: string) => ({ id, endsAt: now + 9 * DAY_MS });

describe("the subscriptions after which another can start", () => {
  test.each([
    ["a gift that runs out", [gift], ends("g")],
    ["a courtesy that runs out", [comp], ends("c")],
    ["nothing", [], null],
    [
      "what somebody pays themselves, canceled too",
      [{ ...paid, status: "canceled" as const }],
      null,
    ],
    [
      "a gift beside what begins after it",
      [gift, { ...paid, status: "upcoming" as const, accessUntil: null }],
      null,
    ],
    [
      "a courtesy without an end",
      [{ ...comp, accessUntil: COMP_WITHOUT_END, compEndsAt: COMP_WITHOUT_END }],
      null,
    ],
    ["a gift that ends far away", [{ ...gift, accessUntil: addDays(now, 60) + 1 }], null],
    [
      "a gift that ends in sixty days",
      [{ ...gift, accessUntil: addDays(now, 60) }],
      { id: "g", endsAt: addDays(now, 60) },
    ],
    ["a gift that is over, and did not end yet", [{ ...gift, accessUntil: now }], null],
  ])("%s", (_, live, expected) => {
    expect(endingGiftOrComp(live, now)).toEqual(expected);
  });

  test("a later start is offered in an active gift or complimentary subscription, once", () => {
    expect([
      canSubscribeAfter(gift, now),
      canSubscribeAfter(comp, now),
      canSubscribeAfter(paid, now),
      canSubscribeAfter({ ...gift, status: "expired" }, now),
      canSubscribeAfter({ ...gift, hasUpcoming: true }, now),
    ]).toEqual([true, true, false, false, false]);
  });
});

describe("the next step of a paid upcoming subscription", () => {
  const before = { others: [], agreedAt: null, awayUntil: null, isShut: false, now };
  test.each([
    ["waits for its day", now + 1, before, { kind: "nothing" }],
    ["begins on it", now, before, { kind: "begin" }],
    [
      "waits for what is over and did not end",
      now,
      { ...before, others: [{ accessUntil: now }] },
      { kind: "wait" },
    ],
    [
      "goes with what is before it, where that ends later",
      now + DAY_MS,
      { ...before, others: [{ accessUntil: now + 5 * DAY_MS }] },
      { kind: "move", to: now + 5 * DAY_MS },
    ],
    [
      "and back again",
      now + 5 * DAY_MS,
      { ...before, others: [{ accessUntil: now + DAY_MS }] },
      { kind: "move", to: now + DAY_MS },
    ],
    [
      "is moved to the end of a vacation",
      now,
      { ...before, awayUntil: now + DAY_MS },
      { kind: "move", to: now + DAY_MS },
    ],
    [
      "keeps its day where a vacation is over by then",
      now + 3 * DAY_MS,
      { ...before, awayUntil: now + DAY_MS },
      { kind: "nothing" },
    ],
    [
      "does not begin behind a shut door: it stays a day ahead",
      now,
      { ...before, isShut: true },
      { kind: "move", to: addDays(now, 1) },
    ],
    [
      "and begins at once as that opens",
      now + DAY_MS,
      { ...before, agreedAt: now - DAY_MS },
      { kind: "move", to: now },
    ],
    [
      "keeps its day where what was before it ended early",
      now + DAY_MS,
      { ...before, agreedAt: now + DAY_MS },
      { kind: "nothing" },
    ],
    ["begins a little late on the day agreed to", now - 10 * MINUTE_MS, before, { kind: "begin" }],
    ["begins late with none of its days spent", now - DAY_MS, before, { kind: "move", to: now }],
    [
      "is called off across a block, before its day too",
      now + DAY_MS,
      { ...before, isShut: true, isBlocked: true, others: [{ accessUntil: now + DAY_MS }] },
      { kind: "call_off" },
    ],
    [
      "waits across a block for a bank that decides",
      now,
      { ...before, isShut: true, isBlocked: true, isDisputed: true },
      { kind: "move", to: addDays(now, 1) },
    ],
    [
      "comes back from the end of a vacation that was cut short",
      now + 60 * DAY_MS,
      { ...before, agreedAt: now + DAY_MS },
      { kind: "move", to: now + DAY_MS },
    ],
  ])("%s", (_, startedAt, facts, expected) => {
    expect(upcomingStep({ startedAt }, facts)).toEqual(expected);
  });

  test("never starts early, beside another subscription or during a vacation, and keeps a date it was moved to", () => {
    const moment = fc.integer({ min: -30, max: 30 }).map((days) => now + days * DAY_MS);
    fc.assert(
      fc.property(
        moment,
        fc.array(moment, { maxLength: 2 }),
        fc.option(moment, { nil: null }),
        fc.option(moment, { nil: null }),
        fc.boolean(),
        (startedAt, ending, away, agreedAt, isShut) => {
          const facts = {
            others: ending.map((accessUntil) => ({ accessUntil })),
            agreedAt,
            awayUntil: away !== null && away > now ? away : null,
            isShut,
            now,
          };
          const step = upcomingStep({ startedAt }, facts);
          const mayBegin =
            (agreedAt ?? startedAt) <= now &&
            ending.length === 0 &&
            facts.awayUntil === null &&
            !isShut;
          const begins =
            step.kind === "begin" ||
            (ending.length === 0 && step.kind === "move" && step.to === now);
          expect(begins).toBe(mayBegin);
          if (step.kind === "begin") expect(now - startedAt).toBeLessThanOrEqual(15 * MINUTE_MS);
          const moved = step.kind === "move" ? step.to : startedAt;
          for (const at of [...ending, facts.awayUntil ?? 0])
            expect(moved).toBeGreaterThanOrEqual(at);
          expect(upcomingStep({ startedAt: moved }, facts).kind).not.toBe("move");
        },
      ),
    );
  });
});
