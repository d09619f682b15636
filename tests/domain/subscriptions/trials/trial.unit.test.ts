import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planSchema } from "#app/domain/plans/schema.ts";
import {
  trialConsentText,
  trialEndFrom,
  trialOfferText,
  trialLabel,
} from "#app/domain/subscriptions/trials/rules/trial.ts";
import {
  firstChargeExpiresAt,
  dueTrialStep,
} from "#app/domain/subscriptions/trials/rules/trial-calendar.ts";
import { addDays, DAY_MS, instantOf } from "#app/domain/time.ts";

const endsAt = instantOf({ year: 2026, month: 3, day: 12 }, 10 * 3_600_000);
const card = {
  status: "trialing" as const,
  recurringPixId: null,
  method: "card" as const,
  savedMethodId: "pm",
  interval: "monthly" as const,
  currentPeriodEndsAt: endsAt,
};
const pix = { ...card, method: "pix" as const, savedMethodId: null };
const nothing = { ...card, savedMethodId: null };

/** The step due with all reminders sent, with or without an earlier renewal charge. */
function stepOf(running: Parameters<typeof dueTrialStep>[0], wasAsked: boolean, now: number) {
  const asked = {
    status: "failed" as const,
    method: running.method,
    failureCode: null,
    recurringPixId: null,
    debitOn: null,
    periodsCents: null,
    createdAt: now - DAY_MS,
  };
  return dueTrialStep(running, {
    attempts: wasAsked ? [asked] : [],
    methodChangedAt: null,
    isReminded: true,
    now,
  });
}

describe("the scheduler's step for a free trial", () => {
  test.each<[string, Parameters<typeof dueTrialStep>[0], boolean, number, string]>([
    ["a card is not charged before the end", card, false, endsAt - 1, "nothing"],
    ["a card is charged at the end", card, false, endsAt, "send_renewal"],
    ["a declined card gives the grace period of a renewal", card, true, endsAt, "past_due"],
    ["no code four days before", pix, false, addDays(endsAt, -4), "nothing"],
    ["a code three days before", pix, false, addDays(endsAt, -3), "send_renewal"],
    ["one code only", pix, true, addDays(endsAt, -2), "nothing"],
    ["an unpaid code ends with the trial", pix, true, endsAt, "expire"],
    ["no code after the end", pix, false, endsAt, "expire"],
    ["without a payment method nothing is charged", nothing, false, endsAt - 1, "nothing"],
    ["without a payment method the trial ends", nothing, false, endsAt, "expire"],
  ])("%s", (_, running, wasRenewalTried, now, kind) => {
    expect(stepOf(running, wasRenewalTried, now).kind).toBe(kind);
  });

  test("reminds a subscriber with an unpaid code the day before, and no subscriber who paid", () => {
    const asked = {
      method: "pix" as const,
      failureCode: null,
      recurringPixId: null,
      debitOn: null,
      periodsCents: null,
      createdAt: addDays(endsAt, -3),
    };
    const stepAfter = (status: "awaiting_payment" | "succeeded") =>
      dueTrialStep(pix, {
        attempts: [{ ...asked, status }],
        methodChangedAt: null,
        isReminded: false,
        now: addDays(endsAt, -1),
      });
    expect([stepAfter("awaiting_payment"), stepAfter("succeeded")]).toEqual([
      { kind: "remind", leadDays: 1 },
      { kind: "nothing" },
    ]);
  });

  test("cancels a code created before the payment method changed, and keeps one created since", () => {
    const code = {
      status: "awaiting_payment" as const,
      method: "pix" as const,
      failureCode: null,
      recurringPixId: null,
      debitOn: null,
      periodsCents: null,
      createdAt: addDays(endsAt, -3),
    };
    const stepAfter = (
      running: typeof card | typeof pix,
      methodChangedAt: number | null,
      now: number,
    ) => dueTrialStep(running, { attempts: [code], methodChangedAt, isReminded: false, now }).kind;
    const later = code.createdAt + 1;
    expect(
      [addDays(endsAt, -2), addDays(endsAt, -1), endsAt].map((now) => stepAfter(card, later, now)),
    ).toEqual(["let_go", "let_go", "let_go"]);
    expect(
      [null, code.createdAt].map((changedAt) => stepAfter(pix, changedAt, addDays(endsAt, -1))),
    ).toEqual(["remind", "remind"]);
  });

  test("the first paid period starts where the trial ends", () => {
    expect(stepOf(card, false, endsAt)).toEqual({
      kind: "send_renewal",
      period: {
        startsAt: endsAt,
        endsAt: instantOf({ year: 2026, month: 4, day: 12 }, 10 * 3_600_000),
      },
    });
    expect(firstChargeExpiresAt(pix, endsAt)).toBe(endsAt);
    expect(firstChargeExpiresAt(card, endsAt)).toBe(addDays(endsAt, 7));
  });

  test("without a card no trial becomes past due; with one, access lasts at most seven more days", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -20, max: 20 }),
        fc.boolean(),
        fc.constantFrom(card, pix, nothing),
        (days, wasRenewalTried, running) => {
          const step = stepOf(running, wasRenewalTried, endsAt + days * DAY_MS);
          if (step.kind === "past_due")
            expect([running, step.accessUntil]).toEqual([card, addDays(endsAt, 7)]);
          if (step.kind === "expire") expect(running).not.toBe(card);
          if (step.kind === "send_renewal") expect(running).not.toBe(nothing);
        },
      ),
    );
  });
});

test("offer and consent texts name the days, the amount and the date", () => {
  expect(trialLabel(1)).toBe("1 dia grátis");
  expect(trialOfferText(7, 1_500, "monthly")).toBe("7 dias grátis, depois R$\u00a015,00 por mês");
  expect(trialConsentText(7, 1_500, endsAt)).toBe("Começar 7 dias grátis · R$\u00a015,00 em 12/03");
  expect(trialEndFrom(endsAt, 90)).toBe(addDays(endsAt, 90));
});

describe("the trial days in the plan form", () => {
  const form = { name: "Camarim", price: "19,90", interval: "monthly" };
  test.each([
    ["", 0],
    ["0", 0],
    [" 7 ", 7],
    ["90", 90],
  ])("%j is parsed as %j", (typed, days) => {
    expect(planSchema.parse({ ...form, trialDays: typed }).trialDays).toBe(days);
  });
  test.each([
    ["91", "Até 90 dias grátis"],
    ["7,5", "Escreva só o número de dias, sem vírgula"],
    ["-1", "Escreva só o número de dias, sem vírgula"],
    ["sete", "Escreva só o número de dias, sem vírgula"],
  ])("%j is refused: %s", (typed, expected) => {
    expect(
      planSchema
        .safeParse({ ...form, trialDays: typed })
        .error?.issues.map(({ path, message }) => [path[0], message]),
    ).toContainEqual(["trialDays", expected]);
  });
});
