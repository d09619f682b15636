import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chargeStatuses } from "#app/domain/payments/rules.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { decideTip, isTipAmount } from "#app/domain/purchases/tips/rules.ts";
import type { TipDecisionInput } from "#app/domain/purchases/tips/rules.ts";
import { tipSchema, parseTipAmount } from "#app/domain/purchases/tips/schema.ts";

const NOW = 1_800_000_000_000;
const said = (status: ProviderCharge["status"], amountCents = 2_000): ProviderCharge => ({
  id: "p",
  reference: "c",
  status,
  amountCents,
  pixCode: null,
  expiresAt: null,
  nextActionUrl: null,
  failureCode: null,
  settlesAt: null,
  savedMethodId: null,
  refundedCents: 0,
  costCents: 0,
  recurringPixId: null,
});
const input = (more: Partial<TipDecisionInput> = {}): TipDecisionInput => ({
  charge: { status: "awaiting_payment", amountCents: 2_000, expiresAt: NOW + 1 },
  providerCharge: said("succeeded"),
  tip: { paidAt: null, endedAt: null },
  isPaidByAnother: false,
  isShut: false,
  isPayerLeaving: false,
  isAccepted: true,
  now: NOW,
  ...more,
});

describe("the payment of a tip", () => {
  test.each<[string, Partial<TipDecisionInput>, ReturnType<typeof decideTip>]>([
    ["in time is accepted", {}, { kind: "give" }],
    [
      "in time is accepted, also if the creator takes no tips anymore",
      { isAccepted: false },
      { kind: "give" },
    ],
    [
      "when late is accepted if the creator takes tips",
      { tip: { paidAt: null, endedAt: NOW - 1 } },
      { kind: "give" },
    ],
    [
      "when late is refunded if the creator takes no tips",
      { tip: { paidAt: null, endedAt: NOW - 1 }, isAccepted: false },
      { kind: "give_back", reason: "not_accepted", endsAttempt: false },
    ],
    [
      "is refunded if another payment replaced it",
      { isPaidByAnother: true },
      { kind: "give_back", reason: "paid_twice", endsAttempt: true },
    ],
    [
      "is refunded across a block or a ban",
      { isShut: true },
      { kind: "give_back", reason: "not_accepted", endsAttempt: true },
    ],
    [
      "is refunded if the payer is leaving",
      { isPayerLeaving: true },
      { kind: "give_back", reason: "payer_leaving", endsAttempt: true },
    ],
    [
      "of another amount is refunded",
      { providerCharge: said("succeeded", 1_999) },
      { kind: "give_back", reason: "amount_differs", endsAttempt: true },
    ],
    [
      "that expired ends the attempt",
      { providerCharge: said("expired") },
      { kind: "progress", status: "expired", failureCode: null, endsAttempt: true },
    ],
  ])("%s", (_, more, decision) => {
    expect(decideTip(input(more))).toEqual(decision);
  });

  test("never gives it from a status that payments cannot reach, nor for another amount", () => {
    fc.assert(
      fc.property(
        fc.record({
          status: fc.constantFrom(...chargeStatuses),
          providerStatus: fc.constantFrom("succeeded", "failed", "expired", "processing"),
          amountCents: fc.integer({ min: 500, max: 500_000 }),
          isShut: fc.boolean(),
          isPaidByAnother: fc.boolean(),
          isPayerLeaving: fc.boolean(),
          isAccepted: fc.boolean(),
          endedAt: fc.option(fc.constant(NOW - 5)),
        }),
        ({ status, providerStatus, amountCents, endedAt, ...more }) => {
          const decision = decideTip(
            input({
              ...more,
              charge: { status, amountCents: 2_000, expiresAt: NOW + 1 },
              providerCharge: said(providerStatus as ProviderCharge["status"], amountCents),
              tip: { paidAt: null, endedAt },
            }),
          );
          if (decision.kind !== "give") return;
          expect({
            providerStatus,
            amountCents,
            isShut: more.isShut,
            isPaidByAnother: more.isPaidByAnother,
            isPayerLeaving: more.isPayerLeaving,
          }).toEqual({
            providerStatus: "succeeded",
            amountCents: 2_000,
            isShut: false,
            isPaidByAnother: false,
            isPayerLeaving: false,
          });
          expect([
            "succeeded",
            "refunded",
            "partially_refunded",
            "disputed",
            "dispute_won",
            "dispute_lost",
          ]).not.toContain(status);
        },
      ),
    );
  });
});

describe("the amount of a tip", () => {
  test.each<[string, { cents: number } | { problem: string }]>([
    ["25", { cents: 2_500 }],
    ["R$ 1.234,56", { cents: 123_456 }],
    ["5,00", { cents: 500 }],
    ["5000", { cents: 500_000 }],
    ["", { problem: "Escreva quanto você quer dar" }],
    ["4,99", { problem: "O menor apoio é R$\u00a05,00" }],
    ["0", { problem: "O menor apoio é R$\u00a05,00" }],
    ["5.000,01", { problem: "O maior apoio é R$\u00a05.000,00" }],
    ["-10", { problem: "Escreva o valor assim: 25,00" }],
    ["vinte", { problem: "Escreva o valor assim: 25,00" }],
    ["9999999999", { problem: "Escreva o valor assim: 25,00" }],
  ])("%j", (text, read) => {
    expect(parseTipAmount(text)).toEqual(read);
  });

  test("is the chosen or the typed one, by the option selected, and never one outside the limits", () => {
    const form = (fields: Record<string, string>) =>
      tipSchema.safeParse({ method: "pix", ...fields });
    expect(form({ amount: "2000", other: "77,00" }).data).toMatchObject({
      amountCents: 2_000,
      message: "",
    });
    expect(form({ amount: "other", other: "77,00" }).data).toMatchObject({ amountCents: 7_700 });
    expect(form({ amount: "other", other: "3" }).error?.issues).toMatchObject([
      { path: ["other"] },
    ]);
    expect(form({ amount: "1" }).success).toBe(false);
    expect(form({ amount: "1000", message: "a".repeat(281) }).error?.issues).toMatchObject([
      { path: ["message"] },
    ]);
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom("1000", "2000", "5000", "other"),
        (other, amount) => {
          const read = form({ amount, other });
          return !read.success || isTipAmount(read.data.amountCents);
        },
      ),
    );
  });
});
