import { describe, expect, test } from "vitest";
import { dueStep } from "#app/domain/subscriptions/renewals/rules/due-step.ts";
import type { RenewalAttempt } from "#app/domain/subscriptions/open-renewals/rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { day, now, subscription } from "#tests/support/charge-decisions.ts";

describe("the scheduler's next step", () => {
  const endsAt = day(2026, 4, 10);
  const active = {
    ...subscription,
    status: "active" as const,
    startedAt: now,
    currentPeriodEndsAt: endsAt,
    accessUntil: endsAt,
  };
  const pix: RenewalAttempt = {
    status: "awaiting_payment",
    method: "pix",
    failureCode: null,
    recurringPixId: null,
    debitOn: null,
    periodsCents: null,
    createdAt: endsAt - 3 * DAY_MS,
  };
  test.each<[string, Subscription, RenewalAttempt[], number, string]>([
    ["nothing four days before", active, [], endsAt - 4 * DAY_MS, "nothing"],
    ["a Pix three days before", active, [], endsAt - 3 * DAY_MS, "send_renewal"],
    ["nothing while the Pix is unpaid", active, [pix], endsAt - DAY_MS, "nothing"],
    ["a card only on the day", { ...active, method: "card" }, [], endsAt - 4 * DAY_MS, "nothing"],
    ["a card on the day", { ...active, method: "card" }, [], endsAt, "send_renewal"],
    ["the grace period when unpaid", active, [pix], endsAt, "past_due"],
    [
      "the end when the grace period is over",
      { ...active, status: "past_due", accessUntil: endsAt + 7 * DAY_MS },
      [pix],
      endsAt + 7 * DAY_MS,
      "expire",
    ],
    [
      "nothing during the grace period",
      { ...active, status: "past_due", accessUntil: endsAt + 7 * DAY_MS },
      [pix],
      endsAt + 6 * DAY_MS,
      "nothing",
    ],
    [
      "no renewal of a canceled subscription",
      { ...active, status: "canceled" },
      [],
      endsAt - DAY_MS,
      "nothing",
    ],
    ["the end of a canceled subscription", { ...active, status: "canceled" }, [], endsAt, "expire"],
    [
      "nothing during a pause",
      { ...active, status: "paused", resumesAt: endsAt },
      [],
      endsAt - 1,
      "nothing",
    ],
    [
      "the end of a pause",
      { ...active, status: "paused", resumesAt: endsAt },
      [],
      endsAt,
      "resume",
    ],
    ["nothing for a subscription that never started", subscription, [], endsAt, "nothing"],
  ])("%s", (_, given, attempts, when, kind) => {
    expect(
      dueStep(given, {
        attempts,
        methodChangedAt: null,
        isReminded: false,
        isDebited: false,
        now: when,
      }).kind,
    ).toBe(kind);
  });
});
