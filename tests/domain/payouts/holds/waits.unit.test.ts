import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isInsufficientBalance,
  transferFault,
} from "#app/domain/payments/providers/rules/transfer-faults.ts";
import { payoutsThatFit } from "#app/domain/payouts/holds/rules/waits.ts";

const waiting = fc.array(fc.record({ amountCents: fc.integer({ min: 1, max: 1_000 }) }), {
  maxLength: 60,
});

test("the payouts chosen never exceed the available money, and none that still fits is left out", () => {
  fc.assert(
    fc.property(waiting, fc.integer({ min: -100, max: 20_000 }), (all, available) => {
      const turns = payoutsThatFit(all, available);
      const left = available - turns.reduce((sum, { amountCents }) => sum + amountCents, 0);
      if (turns.length > 0) expect(left).toBeGreaterThanOrEqual(0);
      for (const one of all)
        if (!turns.includes(one)) expect(one.amountCents).toBeGreaterThan(left);
    }),
  );
});

test.each([
  ["pix_key_not_found", "key"],
  ["account_closed", "key"],
  ["pix_key_refused", "key"],
  ["insufficient_balance", "house"],
  ["limit_exceeded", "house"],
  ["rate_exceeded", "house"],
  ["account_forbidden", "house"],
  ["invalid_api_key", "house"],
  ["permission_denied", "house"],
  ["corporate_taker_refused", null],
  ["transfer_failed", null],
  ["transfer_cancelled", null],
  [null, null],
])("%s names the fault of %s", (code, fault) => {
  expect(transferFault(code)).toBe(fault);
});

test.each([
  ["insufficient_balance", true],
  ["saldo_insuficiente", true],
  ["account_forbidden", false],
  ["limit_exceeded", false],
  [null, false],
])("of %s what is missing is money: %s", (code, isMoney) => {
  expect(isInsufficientBalance(code)).toBe(isMoney);
});
