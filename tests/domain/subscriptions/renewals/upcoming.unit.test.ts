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
    ["a gift with an end", [gift], ends("g")],
    ["a complimentary subscription with an end", [comp], ends("c")],
    ["nothing", [], null],
    ["a paid subscription, even if canceled", [{ ...paid, status: "canceled" as const }], null],
    [
      "a gift with an upcoming subscription",
      [gift, { ...paid, status: "upcoming" as const, accessUntil: null }],
      null,
    ],
    [
      "a complimentary subscription without an end",
      [{ ...comp, accessUntil: COMP_WITHOUT_END, compEndsAt: COMP_WITHOUT_END }],
      null,
    ],
    ["a gift that ends too late", [{ ...gift, accessUntil: addDays(now, 60) + 1 }], null],
    [
      "a gift that ends in sixty days",
      [{ ...gift, accessUntil: addDays(now, 60) }],
      { id: "g", endsAt: addDays(now, 60) },
    ],
    ["a gift past its end, not expired yet", [{ ...gift, accessUntil: now }], null],
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
    ["waits for its start", now + 1, before, { kind: "nothing" }],
    ["starts on its day", now, before, { kind: "begin" }],
    [
      "waits for an earlier subscription that is past its end, not expired yet",
      now,
      { ...before, others: [{ accessUntil: now }] },
      { kind: "wait" },
    ],
    [
      "is postponed with the subscription before it",
      now + DAY_MS,
      { ...before, others: [{ accessUntil: now + 5 * DAY_MS }] },
      { kind: "move", to: now + 5 * DAY_MS },
    ],
    [
      "is moved earlier with it too",
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
      "stays on its day if a vacation ends before it",
      now + 3 * DAY_MS,
      { ...before, awayUntil: now + DAY_MS },
      { kind: "nothing" },
    ],
    [
      "does not start while the page is closed: it stays a day away",
      now,
      { ...before, isShut: true },
      { kind: "move", to: addDays(now, 1) },
    ],
    [
      "starts at once when the page opens",
      now + DAY_MS,
      { ...before, agreedAt: now - DAY_MS },
      { kind: "move", to: now },
    ],
    [
      "stays on its day if the subscription before it ended early",
      now + DAY_MS,
      { ...before, agreedAt: now + DAY_MS },
      { kind: "nothing" },
    ],
    ["starts a little late with its agreed date", now - 10 * MINUTE_MS, before, { kind: "begin" }],
    ["starts late with all of its days", now - DAY_MS, before, { kind: "move", to: now }],
    [
      "is canceled by a block, also before its day",
      now + DAY_MS,
      { ...before, isShut: true, isBlocked: true, others: [{ accessUntil: now + DAY_MS }] },
      { kind: "call_off" },
    ],
    [
      "waits despite a block while a dispute is open",
      now,
      { ...before, isShut: true, isBlocked: true, isDisputed: true },
      { kind: "move", to: addDays(now, 1) },
    ],
    [
      "is moved earlier when a vacation is cut short",
      now + 60 * DAY_MS,
      { ...before, agreedAt: now + DAY_MS },
      { kind: "move", to: now + DAY_MS },
    ],
  ])("%s", (_, startedAt, input, expected) => {
    expect(upcomingStep({ startedAt }, input)).toEqual(expected);
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
          const input = {
            others: ending.map((accessUntil) => ({ accessUntil })),
            agreedAt,
            awayUntil: away !== null && away > now ? away : null,
            isShut,
            now,
          };
          const step = upcomingStep({ startedAt }, input);
          const mayBegin =
            (agreedAt ?? startedAt) <= now &&
            ending.length === 0 &&
            input.awayUntil === null &&
            !isShut;
          const starts =
            step.kind === "begin" ||
            (ending.length === 0 && step.kind === "move" && step.to === now);
          expect(starts).toBe(mayBegin);
          if (step.kind === "begin") expect(now - startedAt).toBeLessThanOrEqual(15 * MINUTE_MS);
          const moved = step.kind === "move" ? step.to : startedAt;
          for (const at of [...ending, input.awayUntil ?? 0])
            expect(moved).toBeGreaterThanOrEqual(at);
          expect(upcomingStep({ startedAt: moved }, input).kind).not.toBe("move");
        },
      ),
    );
  });
});
