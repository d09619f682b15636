import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isDebtAmountPayable,
  minimumDebtPaymentCents,
  writeOffLimitCents,
} from "#app/domain/payments/debts/rules.ts";

test.each<[string, number, number, boolean]>([
  ["all of it", 1_890, 1_890, true],
  ["more than is owed", 1_891, 1_890, false],
  ["the least part", 500, 1_890, true],
  ["less than the least", 499, 1_890, false],
  ["all of a small debt", 120, 120, true],
  ["a part of a small debt", 119, 120, false],
  ["nothing", 0, 1_890, false],
  ["below nothing", -500, 1_890, false],
  ["half a centavo", 500.5, 1_890, false],
  ["where nothing is owed", 500, 0, false],
])("%s: %d of %d", (_, amountCents, owedCents, may) => {
  expect(isDebtAmountPayable(amountCents, owedCents)).toBe(may);
  expect(minimumDebtPaymentCents(owedCents)).toBeLessThanOrEqual(owedCents);
});

test.each<[string, number, number, number, number]>([
  ["nothing is old", 1_890, 0, 0, 0],
  ["all of it is old", 1_890, 1_890, 0, 1_890],
  ["an old part was paid since", 1_390, 1_890, 500, 1_390],
  ["what was paid since paid all that was old", 1_000, 1_890, 1_890, 0],
  ["beside a young one", 2_890, 1_890, 0, 1_890],
  ["nothing is owed anymore", 0, 1_890, 1_890, 0],
])("%s", (_, owedCents, oldRaisedCents, paidCents, cents) => {
  expect(writeOffLimitCents({ owedCents, oldRaisedCents, paidCents })).toBe(cents);
});

test("never takes more than is owed, and never less than zero", () => {
  const cents = fc.nat(1_000_000_00);
  fc.assert(
    fc.property(cents, cents, cents, (owedCents, oldRaisedCents, paidCents) => {
      const writable = writeOffLimitCents({ owedCents, oldRaisedCents, paidCents });
      expect(writable >= 0 && writable <= owedCents).toBe(true);
    }),
  );
});
