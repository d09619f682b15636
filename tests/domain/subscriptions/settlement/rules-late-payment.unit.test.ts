import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideCharge } from "#app/domain/subscriptions/settlement/rules.ts";
import { dueStep } from "#app/domain/subscriptions/renewals/rules/due-step.ts";
import { earlyEnd } from "#app/domain/subscriptions/endings/rules.ts";
import type { ChargeDecisionInput } from "#app/domain/subscriptions/settlement/rules.ts";
import type { RenewalAttempt } from "#app/domain/subscriptions/open-renewals/rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { day, decisionInput, now, subscription } from "#tests/support/charge-decisions.ts";

describe("a payment that arrives after the end", () => {
  const [startedAt, endsAt] = [day(2026, 3, 3), day(2026, 3, 10)];
  const over = {
    ...subscription,
    status: "expired" as const,
    holdsSeat: false,
    startedAt,
    currentPeriodStartsAt: startedAt,
    currentPeriodEndsAt: endsAt,
  };
  const [early, byItself, afterGrace] = [
    { ...over, accessUntil: endsAt - 1 },
    { ...over, accessUntil: endsAt },
    { ...over, accessUntil: day(2026, 3, 17) },
  ];
  const trial = { ...over, startedAt: null, trialEndsAt: endsAt, accessUntil: endsAt };
  const first = { ...decisionInput().charge, status: "expired" as const };
  const code = { ...first, periodStartsAt: endsAt, periodEndsAt: day(2026, 3, 17) };
  const prepaid = { ...code, periodEndsAt: day(2026, 3, 24), periodsCents: [995, 995] };
  const card = { ...code, status: "processing" as const, method: "card" as const };
  const debit = { ...code, status: "processing" as const, debitOn: "2026-03-10" };
  const confirmed = { ...card, confirmAskedAt: startedAt };
  const back = (reason: string) => ({ kind: "give_back", reason, endsPurchase: false });
  const starts = { kind: "activate" };
  test.each<[string, Pick<ChargeDecisionInput, "charge" | "subscription">, object]>([
    [
      "a code, after a cooling-off or other full refund",
      { subscription: early, charge: code },
      back("ended_early"),
    ],
    [
      "several weeks, after a cooling-off refund",
      { subscription: early, charge: prepaid },
      back("ended_early"),
    ],
    [
      "a card, after a cooling-off refund",
      { subscription: early, charge: card },
      back("ended_early"),
    ],
    [
      "a card confirmed by its owner, after a cooling-off refund",
      { subscription: early, charge: confirmed },
      back("ended_early"),
    ],
    [
      "another code of the first week, after a cooling-off refund",
      { subscription: early, charge: first },
      back("ended_early"),
    ],
    [
      "a debit, after a cooling-off refund",
      { subscription: early, charge: debit },
      back("debit_stopped"),
    ],
    [
      "a code, after an upcoming subscription was canceled",
      {
        subscription: {
          ...over,
          startedAt: endsAt,
          currentPeriodStartsAt: endsAt,
          currentPeriodEndsAt: day(2026, 3, 17),
          accessUntil: now,
        },
        charge: { ...code, periodStartsAt: day(2026, 3, 17) },
      },
      back("ended_early"),
    ],
    [
      "a code from before a pause, after a full refund during the pause",
      {
        subscription: {
          ...over,
          currentPeriodEndsAt: day(2026, 4, 9),
          accessUntil: day(2026, 3, 12),
        },
        charge: code,
      },
      back("ended_early"),
    ],
    [
      "a code, after a dispute was lost in the grace period",
      { subscription: { ...over, accessUntil: earlyEnd(over, day(2026, 3, 12)) }, charge: code },
      back("ended_early"),
    ],
    ["a code, after a cancellation took effect", { subscription: byItself, charge: code }, starts],
    ["a code, after the grace period", { subscription: afterGrace, charge: code }, starts],
    [
      "several weeks, after the grace period",
      { subscription: afterGrace, charge: prepaid },
      starts,
    ],
    ["a code, after a trial", { subscription: trial, charge: code }, starts],
    [
      "the first code, of a subscription that never started",
      { subscription: { ...subscription, status: "expired", holdsSeat: false }, charge: first },
      starts,
    ],
    [
      "a plan change code, after the grace period",
      { subscription: afterGrace, charge: { ...code, planChangeId: "m" } },
      back("change_over"),
    ],
    [
      "a plan change code, after a cancellation took effect",
      { subscription: byItself, charge: { ...code, planChangeId: "m" } },
      back("change_over"),
    ],
    [
      "a plan change code, after a cooling-off refund",
      { subscription: early, charge: { ...code, planChangeId: "m" } },
      back("ended_early"),
    ],
    [
      "a card, after the grace period: no payer was present",
      { subscription: afterGrace, charge: card },
      back("renewed_late"),
    ],
    [
      "a card, after a trial: no payer was present",
      { subscription: { ...trial, accessUntil: day(2026, 3, 17) }, charge: card },
      back("renewed_late"),
    ],
    [
      "a card awaiting confirmation at its bank, after the grace period",
      { subscription: afterGrace, charge: { ...confirmed, status: "requires_action" } },
      starts,
    ],
    [
      "a card confirmed in time and charged after the grace period",
      { subscription: afterGrace, charge: confirmed },
      starts,
    ],
    [
      "the first card, of a subscription that never started",
      {
        subscription: { ...subscription, status: "expired", holdsSeat: false },
        charge: { ...first, method: "card" },
      },
      starts,
    ],
  ])("%s", (_, more, expected) => {
    expect(decideCharge(decisionInput(more))).toMatchObject(expected);
  });

  test("no earlier charge starts a subscription again that ended early", () => {
    const charged = fc.constantFrom(first, code, prepaid, card, confirmed);
    fc.assert(
      fc.property(
        fc.integer({ min: startedAt, max: endsAt - 1 }),
        charged,
        fc.boolean(),
        (accessUntil, charge, holdsSeat) => {
          expect(
            decideCharge(
              decisionInput({
                subscription: { ...over, accessUntil, holdsSeat },
                charge,
                now: accessUntil + 1,
              }),
            ).kind,
          ).toBe("give_back");
        },
      ),
    );
  });

  test.each<[string, Subscription, RenewalAttempt["status"], string]>([
    ["an open charge is canceled", early, "awaiting_payment", "let_go"],
    ["an unconfirmed charge is looked up", early, "created", "let_go"],
    ["a canceled charge is left unchanged", early, "canceled", "nothing"],
    ["a code stays open after an ordinary end", afterGrace, "awaiting_payment", "nothing"],
  ])("for its renewal, %s", (_, ended, status, kind) => {
    const attempt: RenewalAttempt = {
      status,
      method: "pix",
      failureCode: null,
      createdAt: startedAt,
      recurringPixId: null,
      debitOn: null,
      periodsCents: null,
    };
    const asked = { methodChangedAt: null, isReminded: false, isDebited: false, now: endsAt };
    expect(dueStep(ended, { ...asked, attempts: [attempt] }).kind).toBe(kind);
    expect(dueStep(ended, { ...asked, attempts: [{ ...attempt, recurringPixId: "r" }] }).kind).toBe(
      "nothing",
    );
  });
});
