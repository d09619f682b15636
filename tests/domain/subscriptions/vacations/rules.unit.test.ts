import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  vacationUntil,
  daysUntilNextVacation,
  vacationEndFrom,
} from "#app/domain/plans/rules/vacations.ts";
import { vacationDaysSchema } from "#app/domain/plans/schema/vacations.ts";
import { dueStep } from "#app/domain/subscriptions/renewals/rules/due-step.ts";
import { nextCalendarCheckAt } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import { DAYS_AFTER_RETURN, shiftByVacation } from "#app/domain/subscriptions/vacations/rules.ts";
import type { UnfinishedVacation } from "#app/domain/subscriptions/vacations/rules.ts";
import type { Subscription, SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { addDays, DAY_MS, HOUR_MS } from "#app/domain/time.ts";

const start = Date.UTC(2026, 4, 10, 15);
const rest: UnfinishedVacation = {
  id: "v",
  creatorId: "c",
  startsAt: start,
  endsAt: vacationEndFrom(start, 14),
  returnedAt: null,
  shiftedUntil: null,
};
const on = (days: number) => addDays(start, days);

type Input = Parameters<typeof shiftByVacation>[0];
const live: Input = {
  status: "active",
  method: "pix",
  savedMethodId: null,
  compEndsAt: null,
  startedAt: on(-20),
  currentPeriodStartsAt: on(-20),
  currentPeriodEndsAt: on(10),
  accessUntil: on(10),
};

test.each<
  [string, Partial<Input>, { ends: number; access: number; status?: SubscriptionStatus } | null]
>([
  ["an active subscription ends as many days later", {}, { ends: 24, access: 24 }],
  [
    "so does a canceled one with access",
    { status: "canceled", currentPeriodEndsAt: on(2), accessUntil: on(2) },
    { ends: 16, access: 16 },
  ],
  [
    "not a canceled one that ended",
    { status: "canceled", currentPeriodEndsAt: on(-1), accessUntil: on(-1) },
    null,
  ],
  [
    "a past-due one has the rest of its grace period after the return",
    { status: "past_due", currentPeriodEndsAt: on(-3), accessUntil: on(4) },
    { ends: 11, access: 18 },
  ],
  [
    "a charge awaiting confirmation is requested again",
    { status: "requires_action", currentPeriodEndsAt: on(-1), accessUntil: on(6) },
    { ends: 13, access: 20, status: "past_due" },
  ],
  [
    "a trial by card ends as many days later, however few were left",
    {
      status: "trialing",
      method: "card",
      savedMethodId: "card",
      currentPeriodEndsAt: on(1),
      accessUntil: on(1),
    },
    { ends: 15, access: 15 },
  ],
  [
    "a trial without a card leaves time to pay after the return",
    { status: "trialing", currentPeriodEndsAt: on(1), accessUntil: on(1) },
    { ends: 17, access: 17 },
  ],
  [
    "one due a moment ago has access until the return",
    { currentPeriodEndsAt: on(-1), accessUntil: on(-1) },
    { ends: 13, access: 14 },
  ],
  [
    "one overdue before the vacation, not yet expired by the scheduler, gets no days",
    { currentPeriodEndsAt: on(-8), accessUntil: on(-8) },
    null,
  ],
  [
    "a trial by card that ended as long ago gets no days",
    {
      status: "trialing",
      method: "card",
      savedMethodId: "card",
      currentPeriodEndsAt: on(-8),
      accessUntil: on(-8),
    },
    null,
  ],
  ["a paused one is moved when it resumes", { status: "paused" }, null],
  ["an expired one is not moved", { status: "expired" }, null],
  ["one that started after it is not moved", { startedAt: on(14) }, null],
  ["one that nobody pays is not moved", { compEndsAt: on(100) }, null],
])("%s", (_, given, expected) => {
  const moved = shiftByVacation({ ...live, ...given }, rest, start);
  if (expected === null) return expect(moved).toBeNull();
  expect(moved?.set).toMatchObject({
    currentPeriodEndsAt: on(expected.ends),
    accessUntil: on(expected.access),
    anchorAt: on(expected.ends),
    status: expected.status ?? { ...live, ...given }.status,
  });
});

test("prepaid periods start later too", () => {
  expect(
    shiftByVacation(
      { ...live, currentPeriodStartsAt: on(10), currentPeriodEndsAt: on(40), accessUntil: on(40) },
      rest,
      start,
    )?.set,
  ).toMatchObject({ currentPeriodStartsAt: on(24), currentPeriodEndsAt: on(54) });
});

describe("a vacation cut short", () => {
  const statuses: SubscriptionStatus[] = [
    "trialing",
    "active",
    "requires_action",
    "past_due",
    "canceled",
  ];
  const subscription = fc.record({
    status: fc.constantFrom(...statuses),
    byCard: fc.boolean(),
    endsIn: fc.integer({ min: -7 * 24, max: 400 * 24 }),
  });

  test("moves by the days taken; access never ends before the return, nor does a charge precede its reminder", () => {
    fc.assert(
      fc.property(
        subscription,
        fc.integer({ min: 7, max: 60 }),
        fc.integer({ min: 1, max: 59 * 24 }),
        fc.integer({ min: 0, max: 48 }),
        ({ status, byCard, endsIn }, days, takenHours, lateHours) => {
          const endsAt = start + endsIn * HOUR_MS;
          const isPastDue = status === "past_due" || status === "requires_action";
          const before: Input = {
            ...live,
            status,
            method: byCard ? "card" : "pix",
            savedMethodId: byCard ? "card" : null,
            currentPeriodEndsAt: endsAt,
            accessUntil: isPastDue ? endsAt + 7 * DAY_MS : endsAt,
          };
          const whole = { ...rest, endsAt: vacationEndFrom(start, days) };
          const moved = shiftByVacation(before, whole, start);
          const returnedAt = start + takenHours * HOUR_MS;
          if (!moved || returnedAt >= whole.endsAt) return;
          const now = returnedAt + lateHours * HOUR_MS;
          const back = shiftByVacation(
            { ...before, ...moved.set },
            { ...whole, returnedAt, shiftedUntil: moved.until },
            now,
          );
          if (!back) throw new Error("not moved back");
          expect(back.until).toBe(returnedAt);
          expect(back.set.currentPeriodEndsAt).toBeGreaterThanOrEqual(
            endsAt + takenHours * HOUR_MS,
          );
          expect(back.set.currentPeriodEndsAt).toBeLessThanOrEqual(moved.set.currentPeriodEndsAt);
          expect(moved.movedMs + back.movedMs).toBe(back.set.currentPeriodEndsAt - endsAt);
          if (status !== "canceled")
            expect(back.set.accessUntil).toBeGreaterThanOrEqual(returnedAt);
          if (back.set.status === "active" || status === "trialing")
            expect(back.set.currentPeriodEndsAt).toBeGreaterThanOrEqual(
              Math.min(moved.set.currentPeriodEndsAt, addDays(now, DAYS_AFTER_RETURN)),
            );
          // Applying it a second time changes nothing.
          expect(
            shiftByVacation(
              { ...before, ...back.set },
              { ...whole, returnedAt, shiftedUntil: back.until },
              now,
            ),
          ).toBeNull();
        },
      ),
    );
  });

  test("counts only the days taken when nothing was moved yet", () => {
    expect(shiftByVacation(live, { ...rest, returnedAt: on(3) }, on(3))).toMatchObject({
      set: { currentPeriodEndsAt: on(13) },
      shift: { from: start, by: 3 * DAY_MS },
    });
  });
});

test("a subscription is moved once during a vacation", () => {
  const moved = shiftByVacation(live, rest, start);
  expect(
    shiftByVacation(
      { ...live, ...moved?.set },
      { ...rest, shiftedUntil: moved?.until ?? 0 },
      on(5),
    ),
  ).toBeNull();
});

describe("the scheduler during a vacation", () => {
  const due = {
    ...live,
    id: "s",
    fanId: "f",
    creatorId: "c",
    startedAt: on(-20),
    anchorAt: null,
    interval: "monthly",
    status: "active",
    resumesAt: null,
    recurringPixId: null,
  } as unknown as Subscription;
  const input = { attempts: [], methodChangedAt: null, isReminded: true, isDebited: false };

  test("charges nothing and makes nothing past due; ended subscriptions still end", () => {
    expect(dueStep(due, { ...input, now: on(9), isAway: true }).kind).toBe("nothing");
    expect(dueStep(due, { ...input, now: on(9) }).kind).toBe("send_renewal");
    expect(dueStep(due, { ...input, now: on(10), isAway: true }).kind).toBe("nothing");
    expect(
      dueStep({ ...due, status: "canceled" }, { ...input, now: on(10), isAway: true }).kind,
    ).toBe("expire");
  });

  test("checks again at the end of the vacation where it postponed something", () => {
    expect(nextCalendarCheckAt(due, on(10), rest.endsAt)).toBe(rest.endsAt);
    expect(
      nextCalendarCheckAt(
        { ...due, currentPeriodEndsAt: on(30), accessUntil: on(30) },
        on(10),
        rest.endsAt,
      ),
    ).toBe(on(27));
  });
});

test("a vacation lasts seven to sixty days, and the next may start after a gap as long as it, up to thirty days", () => {
  for (const [text, isFine] of [
    ["7", true],
    ["60", true],
    ["6", false],
    ["61", false],
    ["1e1", false],
    ["", false],
  ] as const)
    expect(vacationDaysSchema.safeParse(text).success).toBe(isFine);
  expect(daysUntilNextVacation({ ...rest, returnedAt: null }, on(14))).toBe(14);
  expect(daysUntilNextVacation({ ...rest, returnedAt: on(1) }, on(2))).toBe(6);
  expect(daysUntilNextVacation({ ...rest, returnedAt: on(1) }, on(8))).toBe(0);
  expect(daysUntilNextVacation({ ...rest, endsAt: on(60) }, on(60))).toBe(30);
  expect(vacationUntil(rest, on(13))).toBe(rest.endsAt);
  expect(vacationUntil(rest, rest.endsAt)).toBeNull();
  expect(vacationUntil({ ...rest, returnedAt: on(2) }, on(2))).toBeNull();
});
