import { describe, expect, test } from "vitest";
import {
  needsAnotherKey,
  needsRefundTransfer,
  isKeyReminderDue,
  isKeyOfAnotherOwner,
  isTooOldForRefund,
  nextTransferAttemptAt,
  REFUND_TOO_LATE,
  transferSender,
  transferStatusesBefore,
} from "#app/domain/payments/refund-transfers/rules.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { byMethod, PIX_REFUND_DAYS } from "#app/domain/payments/methods/rules.ts";
import { addDays, HOUR_MS, instantOf } from "#app/domain/time.ts";

const NOON = instantOf({ year: 2026, month: 3, day: 10 });
const OLD = addDays(NOON, PIX_REFUND_DAYS);

describe("which refund is paid by our own Pix transfer", () => {
  test.each([
    ["a Pix of ninety days, refused for any reason", "pix", "invalid_action", OLD, true],
    ["one that is younger", "pix", "insufficient_balance", OLD - 1, false],
    [
      "one that the provider itself calls too old, whose ninety days began before ours",
      "pix",
      REFUND_TOO_LATE,
      OLD - 1,
      true,
    ],
    ["a card, however old", "card", "charge_already_refunded", addDays(OLD, 400), false],
    ["a card with that word", "card", REFUND_TOO_LATE, OLD, false],
  ] as const)("%s", (_, method, code, now, expected) => {
    expect(
      needsRefundTransfer({ method, createdAt: NOON, succeededAt: NOON + 60_000 }, code, now),
    ).toBe(expected);
  });
  test("the seller sees the notice from the ninetieth day after the payment", () => {
    expect([
      isTooOldForRefund({ method: "pix", succeededAt: NOON }, OLD - 1),
      isTooOldForRefund({ method: "pix", succeededAt: NOON }, OLD),
    ]).toEqual([false, true]);
    expect([
      isTooOldForRefund({ method: "card", succeededAt: NOON }, OLD),
      isTooOldForRefund({ method: "pix", succeededAt: null }, OLD),
    ]).toEqual([false, false]);
  });
});

test("the refund key must be the payer's tax id; if the payer gave no tax id, any key is accepted", () => {
  const bruno = { taxKind: "cpf", taxId: "52998224725" } as const;
  expect(isKeyOfAnotherOwner(bruno, bruno)).toBe(false);
  expect(isKeyOfAnotherOwner(bruno, null)).toBe(false);
  expect(isKeyOfAnotherOwner({ taxKind: "cpf", taxId: "98765432100" }, bruno)).toBe(true);
  expect(isKeyOfAnotherOwner({ taxKind: "cnpj", taxId: "52998224725" }, bruno)).toBe(true);
});

test("the acquirer of the charge sends the transfer if it can, else the payout provider, else nobody", () => {
  const named = (name: string, isSender: boolean) =>
    ({
      name,
      can: new Set(isSender ? ["pix", "transfer_to_pix_key"] : ["pix", "card"]),
    }) as unknown as PaymentProvider;
  const [stripe, asaas, sandbox] = [
    named("stripe", false),
    named("asaas", true),
    named("sandbox", true),
  ];
  const both = {
    ...byMethod(() => stripe),
    transfers: asaas,
    providers: [stripe, asaas, sandbox],
  };
  expect(transferSender(both, { provider: "sandbox" })).toBe(sandbox);
  expect(transferSender(both, { provider: "stripe" })).toBe(asaas);
  expect(transferSender(both, { provider: "gone" })).toBe(asaas);
  expect(transferSender(stripe, { provider: "stripe" })).toBeNull();
});

test("a failed or returned transfer is final: the next one gets the following number", () => {
  expect(transferStatusesBefore("returned")).toEqual(["paid"]);
  expect(transferStatusesBefore("processing")).toEqual(["claimed"]);
  for (const end of ["paid", "failed"] as const)
    expect(transferStatusesBefore(end)).toEqual(["claimed", "sent"]);
});

test("a payer who gave no key is reminded after 7, 30 and 90 days, and then no more", () => {
  const due = (remindersCount: number, days: number) =>
    isKeyReminderDue({ remindersCount, createdAt: NOON }, addDays(NOON, days));
  expect([
    due(0, 6),
    due(0, 7),
    due(1, 29),
    due(1, 30),
    due(2, 89),
    due(2, 90),
    due(3, 900),
  ]).toEqual([false, true, false, true, false, true, false]);
});

describe("what follows a refused transfer", () => {
  test.each([
    ["pix_key_not_found", 0, true],
    ["pix_key_refused", 4, true],
    ["insufficient_balance", 40, false],
    ["limit_exceeded", 40, false],
    ["transfer_failed", 0, false],
    ["transfer_failed", 1, false],
    ["transfer_failed", 2, true],
    [null, 2, true],
  ] as const)("%s, after %i refusals: another key %s", (code, refusals, expected) => {
    expect(needsAnotherKey(code, refusals)).toBe(expected);
  });
  test("the same key is retried after one hour, then six, then a day each time", () => {
    expect(
      [1, 2, 3, 4, 40].map((refusals) => (nextTransferAttemptAt(refusals, NOON) - NOON) / HOUR_MS),
    ).toEqual([1, 6, 24, 24, 24]);
  });
});
