import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chargeStatuses, isUnpaid } from "#app/domain/payments/rules.ts";
import {
  mandateCovers,
  mandateTransition,
  nextChargeAt,
  scheduledDebitDay,
  canPayByCode,
  nextOrderableDebitDay,
  debitAfterRefusal,
  debitRetryDay,
  mandateTerms,
} from "#app/domain/subscriptions/pix-mandates/rules.ts";
import type { MandateTransitionInput } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { planMethodSchema } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import { subscriptionStatuses } from "#app/domain/subscriptions/schema.ts";
import {
  addDays,
  addMonths,
  DAY_MS,
  daysBetween,
  HOUR_MS,
  instantOf,
  instantOfIsoDay,
  isoDay,
} from "#app/domain/time.ts";

const at = (year: number, month: number, day: number, hour = 10) =>
  instantOf({ year, month, day }, hour * HOUR_MS);

describe("the terms of a mandate", () => {
  test.each([
    ["the price, as a fixed amount", { priceCents: 1_990, firstCents: 1_990 }, 1_990, true],
    ["another amount than the fixed one", { priceCents: 1_990, firstCents: 1_990 }, 1_989, false],
    ["with a coupon, the discounted amount", { priceCents: 1_990, firstCents: 995 }, 995, true],
    [
      "with a coupon, less than the discounted amount",
      { priceCents: 1_990, firstCents: 995 },
      994,
      false,
    ],
    ["with a coupon, the full price", { priceCents: 1_990, firstCents: 995 }, 1_990, true],
    ["with a coupon, a centavo more", { priceCents: 1_990, firstCents: 995 }, 1_991, false],
  ])("%s", (_what, agreed, amountCents, isCovered) => {
    expect(mandateCovers(mandateTerms(agreed), amountCents)).toBe(isCovered);
  });

  test.each([
    ["automatic", { method: "pix", savedMethodId: null, isAutomatic: true }],
    ["pix", { method: "pix", savedMethodId: null, isAutomatic: false }],
    ["card:pm_1", { method: "card", savedMethodId: "pm_1", isAutomatic: false }],
  ])("parses the form's %s", (choice, chosen) => {
    expect(planMethodSchema.parse(choice)).toEqual(chosen);
  });

  test("refuses an unknown payment choice with a message", () => {
    expect(planMethodSchema.safeParse("boleto").error?.issues[0]?.message).toBe(
      "Escolha uma das opções.",
    );
    expect(planMethodSchema.safeParse(undefined).error?.issues[0]?.message).toBe(
      "Escolha uma das opções.",
    );
  });
});

describe("the days of a debit", () => {
  test.each([
    ["the day before", at(2026, 3, 31), "2026-03-30"],
    ["the day before the first of a month", at(2026, 3, 1), "2026-02-28"],
    ["across the last change of daylight saving time", at(2019, 2, 17, 0), "2019-02-16"],
    ["late at night", at(2026, 3, 31, 23), "2026-03-30"],
  ])("%s", (_what, startsAt, day) => {
    expect(scheduledDebitDay(startsAt)).toBe(day);
  });

  test("are the days of the next charge that every page names", () => {
    const endsAt = at(2026, 12, 24);
    expect(isoDay(nextChargeAt(endsAt, { recurringPixId: "p1" }))).toBe("2026-12-23");
    expect(nextChargeAt(endsAt, { recurringPixId: null })).toBe(endsAt);
  });

  const startsAt = at(2026, 3, 31);
  test.each([
    ["in time, for the day before", addDays(startsAt, -5), "2026-03-30"],
    ["three days before, still for the day before", addDays(startsAt, -3), "2026-03-30"],
    [
      "two days before, for the first day that the bank accepts",
      addDays(startsAt, -2),
      "2026-03-31",
    ],
    ["late, for two days later", addDays(startsAt, 3), "2026-04-05"],
    ["too late for a debit before the access ends", addDays(startsAt, 5), null],
  ])("ordered %s", (_what, now, day) => {
    expect(
      nextOrderableDebitDay({ periodStartsAt: startsAt, paidBy: addDays(startsAt, 7), now }),
    ).toBe(day);
  });

  test.each([
    ["the second", 1, "2026-03-30", "2026-04-01"],
    ["the third", 2, "2026-04-01", "2026-04-03"],
    ["the fourth", 3, "2026-04-03", "2026-04-05"],
    ["no fifth", 4, "2026-04-05", null],
    ["ordered late, the day after", 1, "2026-04-02", "2026-04-03"],
    ["nothing after seven days", 3, "2026-04-06", null],
  ])("%s try", (_what, tries, today, day) => {
    expect(
      debitRetryDay({
        firstOn: "2026-03-30",
        tries,
        paidBy: at(2026, 4, 7),
        now: instantOfIsoDay(today) + 9 * HOUR_MS,
      }),
    ).toBe(day);
  });

  test("no retry falls after the access ended", () => {
    expect(
      debitRetryDay({
        firstOn: "2026-04-04",
        tries: 2,
        paidBy: at(2026, 4, 7),
        now: at(2026, 4, 6),
      }),
    ).toBeNull();
  });

  test("each monthly debit is ordered 2 to 10 days ahead, once a month, and never drifts, for any anchor", () => {
    // São Paulo has not changed its clocks since February 2019.
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) }),
        fc.integer({ min: 1, max: 40 }),
        (anchorAt, periods) => {
          const startsAt = addMonths(anchorAt, periods);
          const now = addDays(startsAt, -5);
          const day = nextOrderableDebitDay({
            periodStartsAt: startsAt,
            paidBy: addDays(startsAt, 7),
            now,
          });
          const daysAhead = daysBetween(now, instantOfIsoDay(day ?? ""));
          expect(daysAhead).toBe(4);
          expect(isoDay(instantOfIsoDay(day ?? "") + DAY_MS + 2 * HOUR_MS)).toBe(isoDay(startsAt));
          expect((day ?? "") < scheduledDebitDay(addMonths(anchorAt, periods + 1))).toBe(true);
        },
      ),
    );
  });
});

test.each([
  ["active", "insufficient_funds", "processing"],
  ["past_due", "insufficient_funds", "processing"],
  ["canceled", "insufficient_funds", "failed"],
  ["paused", "insufficient_funds", "failed"],
  ["expired", "insufficient_funds", "failed"],
  ["active", "authorisation_ended", "failed"],
] as const)("a debit refused while %s for %s is %s", (status, code, next) => {
  expect(debitAfterRefusal(status, code)).toBe(next);
});

test.each([
  ["past_due", null, true],
  ["active", null, false],
  ["active", { isRefused: false }, false],
  ["active", { isRefused: true }, true],
  ["canceled", { isRefused: true }, false],
] as const)("can be paid by a code while %s with %o: %s", (status, debit, may) => {
  expect(canPayByCode(status, debit)).toBe(may);
});

describe("the transitions of a mandate", () => {
  const now = at(2026, 3, 10);
  const input = (
    more: Omit<Partial<MandateTransitionInput>, "mandate"> & {
      mandate?: Partial<MandateTransitionInput["mandate"]>;
    } = {},
  ): MandateTransitionInput => ({
    providerStatus: "created",
    subscription: "incomplete",
    firstCharge: "awaiting_payment",
    now,
    ...more,
    mandate: {
      status: "created",
      attachedAt: null,
      endingAt: null,
      expiresAt: now + HOUR_MS,
      ...more.mandate,
    },
  });
  const attached = { status: "active" as const, attachedAt: 1 };

  test.each<[string, MandateTransitionInput, object]>([
    [
      "not answered yet",
      input(),
      { status: "created", attaches: false, ends: false, notifies: null },
    ],
    [
      "approved and paid",
      input({ providerStatus: "active", subscription: "active", firstCharge: "succeeded" }),
      { status: "active", attaches: true, ends: false, notifies: "authorised" },
    ],
    [
      "approved, its payment unconfirmed",
      input({ providerStatus: "active" }),
      { status: "active", attaches: false, ends: false, notifies: null },
    ],
    [
      "approved, its payment failed",
      input({ providerStatus: "active", subscription: "expired", firstCharge: "failed" }),
      { status: "active", attaches: false, ends: true, notifies: null },
    ],
    [
      "approved for an active subscription, its payment expired",
      input({ providerStatus: "active", subscription: "active", firstCharge: "expired" }),
      { attaches: false, ends: true, notifies: null },
    ],
    [
      "approved after its subscription ended",
      input({ providerStatus: "active", subscription: "expired", firstCharge: "refunded" }),
      { attaches: false, ends: true },
    ],
    [
      "paid and rejected",
      input({ providerStatus: "rejected", subscription: "active", firstCharge: "succeeded" }),
      { status: "rejected", attaches: false, notifies: "refused" },
    ],
    [
      "rejected unpaid",
      input({ providerStatus: "rejected", subscription: "expired", firstCharge: "failed" }),
      { status: "rejected", ends: false, notifies: null },
    ],
    [
      "canceled at the bank",
      input({
        providerStatus: "canceled",
        mandate: attached,
        subscription: "active",
        firstCharge: "succeeded",
      }),
      { status: "canceled", notifies: "ended" },
    ],
    [
      "canceled at our request",
      input({
        providerStatus: "canceled",
        mandate: { ...attached, endingAt: 2 },
        subscription: "active",
        firstCharge: "succeeded",
      }),
      { status: "canceled", notifies: null },
    ],
    [
      "approved while its cancellation is pending: it stays canceled",
      input({
        providerStatus: "active",
        mandate: { endingAt: 2 },
        subscription: "active",
        firstCharge: "succeeded",
      }),
      { status: "active", attaches: false, ends: false },
    ],
    [
      "a late event of its approval",
      input({
        providerStatus: "created",
        mandate: attached,
        subscription: "active",
        firstCharge: "succeeded",
      }),
      { status: "active", attaches: false, notifies: null },
    ],
    [
      "an event after its end",
      input({
        providerStatus: "active",
        mandate: { status: "canceled" },
        subscription: "active",
        firstCharge: "succeeded",
      }),
      { status: "canceled", attaches: false, ends: false, notifies: null },
    ],
    ["never created, before its expiry", input({ providerStatus: null }), { status: "created" }],
    [
      "never created, after its expiry",
      input({ providerStatus: null, mandate: { expiresAt: now } }),
      { status: "expired", notifies: null },
    ],
  ])("%s", (_what, given, step) => {
    expect(mandateTransition(given)).toMatchObject(step);
  });

  test("nothing is debited without approval and payment, in any order of webhook events", () => {
    const statuses = fc.constantFrom(
      "created",
      "active",
      "rejected",
      "canceled",
      "expired" as const,
    );
    const moment = fc.option(fc.constant(1), { nil: null });
    const any = fc.record({
      providerStatus: fc.option(statuses, { nil: null }),
      subscription: fc.constantFrom(...subscriptionStatuses),
      firstCharge: fc.constantFrom(...chargeStatuses),
      mandate: fc.record({
        status: statuses,
        attachedAt: moment,
        endingAt: moment,
        expiresAt: fc.constantFrom(now - 1, now + 1),
      }),
    });
    fc.assert(
      fc.property(any, (given) => {
        const step = mandateTransition({ ...given, now });
        if (step.attaches) {
          expect([step.status, isUnpaid(given.firstCharge), given.mandate.endingAt]).toEqual([
            "active",
            false,
            null,
          ]);
          expect(["expired", "incomplete"]).not.toContain(given.subscription);
        }
        expect(step.attaches && step.ends).toBe(false);
        expect(step.ends && step.status !== "active" && step.status !== "created").toBe(false);
      }),
    );
  });
});
