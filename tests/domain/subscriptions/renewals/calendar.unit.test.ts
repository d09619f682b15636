import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isHardDecline } from "#app/domain/payments/charges/rules/declines.ts";
import { chargeStatuses, isUnpaid, isAwaitingPayment } from "#app/domain/payments/rules.ts";
import { intervals } from "#app/domain/plans/rules/intervals.ts";
import {
  isOutcomeUnknown,
  canChargeRenewal,
  nextCardRetryAt,
  nextCalendarCheckAt,
  reminderDue,
  reminderLeadDays,
} from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import type { RenewalAttempt } from "#app/domain/subscriptions/open-renewals/rules.ts";
import { subscriptionStatuses } from "#app/domain/subscriptions/schema.ts";
import { addDays, DAY_MS, HOUR_MS, instantOf } from "#app/domain/time.ts";

const startsAt = instantOf({ year: 2026, month: 3, day: 10 }, 10 * HOUR_MS);
const on = (days: number, ms = 0) => addDays(startsAt, days) + ms;
const refused = (days: number, more: Partial<RenewalAttempt> = {}): RenewalAttempt => ({
  status: "failed",
  method: "card",
  failureCode: "insufficient_funds",
  recurringPixId: null,
  debitOn: null,
  periodsCents: null,
  createdAt: on(days, 1),
  ...more,
});
const byCard = (now: number, attempts: RenewalAttempt[], methodChangedAt: number | null = null) =>
  canChargeRenewal({ method: "card", status: "active" }, startsAt, {
    attempts,
    methodChangedAt,
    isDebited: false,
    now,
  });

describe("a card", () => {
  test.each<[string, number, RenewalAttempt[], boolean]>([
    ["is not charged before its day", on(0, -1), [], false],
    ["is charged on it", on(0), [], true],
    ["that was declined is not charged again that day", on(1, -1), [refused(0)], false],
    ["is charged again on D+1", on(1), [refused(0)], true],
    ["once that day", on(1, HOUR_MS), [refused(0), refused(1)], false],
    ["not on D+2", on(2, HOUR_MS), [refused(0), refused(1)], false],
    ["on D+3", on(3), [refused(0), refused(1)], true],
    ["on D+5", on(5), [refused(0), refused(1), refused(3)], true],
    ["not on D+6", on(6), [refused(0), refused(1), refused(3), refused(5)], false],
    ["on D+7, the last", on(7), [refused(0), refused(1), refused(3), refused(5)], true],
    ["and never after it", on(7, HOUR_MS), [refused(0), refused(7)], false],
    ["nor a day late", on(8), [refused(0)], false],
    ["once for all missed days", on(6), [refused(0)], true],
    [
      "not while a charge awaits confirmation",
      on(3),
      [refused(0), refused(1, { status: "requires_action" })],
      false,
    ],
    [
      "not while a charge is unconfirmed",
      on(3),
      [refused(0), refused(1, { status: "processing" })],
      false,
    ],
    [
      "not after a payment, even if it was refunded",
      on(3),
      [refused(0), refused(1, { status: "refunded" })],
      false,
    ],
    [
      "that was stolen is not charged again",
      on(3),
      [refused(0, { failureCode: "stolen_card" })],
      false,
    ],
    [
      "whose confirmation expired is charged again like a declined one",
      on(1, HOUR_MS),
      [refused(0, { status: "expired", failureCode: null })],
      true,
    ],
    [
      "and not earlier",
      on(0, HOUR_MS),
      [refused(0, { status: "expired", failureCode: null })],
      false,
    ],
  ])("%s", (_, now, attempts, may) => {
    expect(byCard(now, attempts)).toBe(may);
  });

  test("that replaced a refused one is charged at once, and then on the retry schedule", () => {
    const stolen = refused(0, { failureCode: "stolen_card" });
    expect(byCard(on(2), [stolen], on(2))).toBe(true);
    expect(byCard(on(2, HOUR_MS), [stolen, refused(2)], on(2))).toBe(false);
    expect(byCard(on(3), [stolen, refused(2)], on(2))).toBe(true);
  });

  test("is charged at most five times a period, and never while another attempt is pending", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -2 * DAY_MS, max: 9 * DAY_MS }), {
          minLength: 1,
          maxLength: 60,
        }),
        fc.array(fc.constantFrom(...chargeStatuses), { minLength: 6, maxLength: 6 }),
        (looks, outcomes) => {
          const attempts: RenewalAttempt[] = [];
          for (const look of looks.toSorted((one, other) => one - other)) {
            const now = startsAt + look;
            if (!byCard(now, attempts)) continue;
            expect(
              attempts.some(({ status }) => isAwaitingPayment(status) || !isUnpaid(status)),
            ).toBe(false);
            expect(now).toBeLessThan(on(8));
            attempts.push(
              refused(0, { status: outcomes[attempts.length] ?? "failed", createdAt: now }),
            );
          }
          expect(attempts.length).toBeLessThanOrEqual(5);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("has a next retry date, and none after the last retry or a hard decline", () => {
    expect(nextCardRetryAt(startsAt, "card_declined", on(0))).toBe(on(1));
    expect(nextCardRetryAt(startsAt, "card_declined", on(5))).toBe(on(7));
    expect(nextCardRetryAt(startsAt, "card_declined", on(7))).toBeNull();
    expect(nextCardRetryAt(startsAt, "lost_card", on(0))).toBeNull();
  });

  test.each([
    ["stolen_card", true],
    ["lost_card", true],
    ["expired_card", true],
    ["card_declined", false],
    ["insufficient_funds", false],
    ["authentication_failed", false],
    ["a status from the future", false],
    [null, false],
  ] as const)("refused as %s: a hard decline is %s", (code, isForGood) => {
    expect(isHardDecline(code)).toBe(isForGood);
  });
});

describe("a Pix renewal code", () => {
  const sent: RenewalAttempt = {
    status: "awaiting_payment",
    method: "pix",
    failureCode: null,
    recurringPixId: null,
    debitOn: null,
    periodsCents: null,
    createdAt: on(-3),
  };
  const may = (
    now: number,
    attempts: RenewalAttempt[],
    { isDebited = false, status = "active" as "active" | "past_due" } = {},
  ) =>
    canChargeRenewal({ method: "pix", status }, startsAt, {
      attempts,
      methodChangedAt: null,
      isDebited,
      now,
    });
  test("is created once, between three days before the due date and the end of the grace period", () => {
    expect(may(on(-3, -1), [])).toBe(false);
    expect(may(on(-3), [])).toBe(true);
    expect(may(on(-2), [sent])).toBe(false);
    expect(may(on(1), [{ ...sent, status: "expired" }])).toBe(false);
    expect(may(on(7), [])).toBe(false);
  });
  test("is created again after a cancellation or a code that never reached the bank, and after a declined card", () => {
    expect(may(on(-2), [{ ...sent, status: "canceled" }])).toBe(true);
    expect(may(on(-2), [{ ...sent, status: "expired", failureCode: "never_reached" }])).toBe(true);
    expect(may(on(2), [refused(0)])).toBe(true);
  });
  test("replaces a failed Pix Automático debit, ordered five days before; a past-due one is not replaced automatically", () => {
    const debit: RenewalAttempt = {
      ...sent,
      status: "processing",
      recurringPixId: "r",
      debitOn: "2026-03-09",
    };
    expect(may(on(-5, -1), [], { isDebited: true })).toBe(false);
    expect(may(on(-5), [], { isDebited: true })).toBe(true);
    expect(may(on(-2), [debit])).toBe(false);
    expect(may(on(-2), [{ ...debit, status: "failed" }])).toBe(true);
    expect(may(on(1), [{ ...debit, status: "failed" }], { status: "past_due" })).toBe(false);
  });
  test("of a past-due subscription is created again once a mandate's code is over, and not while that is open", () => {
    const opening: RenewalAttempt = { ...sent, recurringPixId: "r", createdAt: on(1) };
    const after = (status: RenewalAttempt["status"]) =>
      may(
        on(1, HOUR_MS),
        [
          { ...sent, status: "canceled" },
          { ...opening, status },
        ],
        { status: "past_due" },
      );
    expect(
      ["awaiting_payment", "created", "expired", "canceled", "failed"].map((status) => [
        status,
        after(status as RenewalAttempt["status"]),
      ]),
    ).toEqual([
      ["awaiting_payment", false],
      ["created", false],
      ["expired", true],
      ["canceled", true],
      ["failed", true],
    ]);
  });
});

test("the end waits one day for an unconfirmed charge, and not for a refused one", () => {
  const unconfirmed = refused(7, { status: "created", failureCode: null });
  expect(isOutcomeUnknown("card", startsAt, { attempts: [unconfirmed], now: on(7, HOUR_MS) })).toBe(
    true,
  );
  expect(isOutcomeUnknown("card", startsAt, { attempts: [unconfirmed], now: on(8) })).toBe(false);
  expect(
    isOutcomeUnknown("card", startsAt, {
      attempts: [refused(7), refused(7, { status: "requires_action" })],
      now: on(7, HOUR_MS),
    }),
  ).toBe(false);
});

describe("reminders", () => {
  const base = { method: "card" as const, recurringPixId: null, currentPeriodEndsAt: startsAt };
  test.each([
    ["weekly", "card", []],
    ["monthly", "card", [3]],
    ["monthly", "pix", []],
    ["quarterly", "pix", [7]],
    ["semiannual", "card", [30, 7]],
    ["annual", "card", [30, 7]],
  ] as const)("%s by %s: sent %j days before", (interval, method, leads) => {
    expect(reminderLeadDays({ ...base, method, interval, status: "active" })).toEqual(leads);
  });
  test("are sent three days and one day before a free trial ends", () => {
    expect(reminderLeadDays({ ...base, interval: "annual", status: "trialing" })).toEqual([3, 1]);
  });
  test.each(subscriptionStatuses.filter((status) => status !== "active" && status !== "trialing"))(
    "are not sent while the subscription is %s",
    (status) => {
      expect(reminderLeadDays({ ...base, interval: "annual", status })).toEqual([]);
    },
  );
  test("the latest reminder whose day has come is due, until the period is over", () => {
    const due = (now: number) =>
      reminderDue({ ...base, interval: "annual", status: "active" }, now);
    expect([on(-31), on(-30), on(-8), on(-7), on(0, -1), on(0)].map(due)).toEqual([
      null,
      30,
      30,
      7,
      7,
      null,
    ]);
  });
});

test("the next check is after now, and no later than the next step that may be due", () => {
  const statuses = [
    "active",
    "trialing",
    "upcoming",
    "requires_action",
    "past_due",
    "canceled",
    "paused",
  ] as const;
  const due = {
    startedAt: on(-30),
    accessUntil: on(7),
    resumesAt: null,
    compEndsAt: null,
    recurringPixId: null,
    currentPeriodEndsAt: startsAt,
  };
  fc.assert(
    fc.property(
      fc.constantFrom(...statuses),
      fc.constantFrom("pix", "card"),
      fc.constantFrom(...intervals),
      fc.integer({ min: -40 * DAY_MS, max: 10 * DAY_MS }),
      (status, method, interval, from) => {
        const now = startsAt + from;
        const subscription = { ...due, status, method, interval };
        const at = nextCalendarCheckAt(subscription, now);
        if (at !== null) expect(at).toBeGreaterThan(now);
        const until = at ?? on(11);
        const reminders = [...reminderLeadDays(subscription)].map((days) => on(-days));
        const renewals =
          status === "active" || status === "past_due"
            ? method === "pix"
              ? [on(-3)]
              : status === "active"
                ? [on(0)]
                : [on(1), on(3), on(5), on(7)]
            : [];
        for (const date of [...reminders, ...renewals, on(7)])
          if (date > now) expect(until).toBeLessThanOrEqual(date);
      },
    ),
    { numRuns: 500 },
  );
  for (const status of ["incomplete", "expired"] as const)
    expect(
      nextCalendarCheckAt({ ...due, status, method: "pix", interval: "monthly" }, on(-10)),
    ).toBeNull();
  expect(
    nextCalendarCheckAt(
      { ...due, status: "active", method: "pix", interval: "monthly", compEndsAt: on(20) },
      on(-10),
    ),
  ).toBeNull();
});
