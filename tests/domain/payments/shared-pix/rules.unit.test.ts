import { expect, test } from "vitest";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { sharedPixState } from "#app/domain/payments/shared-pix/rules.ts";
import { DAY_MS } from "#app/domain/time.ts";

const END = Date.UTC(2026, 10, 22, 12);

test.each<[string, ChargeStatus, number, ReturnType<typeof sharedPixState>]>([
  ["waits while its code lives", "awaiting_payment", END - 1, "waiting"],
  [
    "is over with its code, whatever the provider has still to say",
    "awaiting_payment",
    END,
    "over",
  ],
  ["is over once it expired", "expired", END + 1, "over"],
  ["is over once it was let go", "canceled", END - 1, "over"],
  ["is paid", "succeeded", END - 1, "paid"],
  ["is paid, late too", "succeeded", END + DAY_MS, "paid"],
  ["went back", "refunded", END + 1, "returned"],
  ["says nothing of a dispute", "disputed", END - 1, "over"],
  ["is dead a day after its code", "succeeded", END + DAY_MS + 1, null],
])("a shared Pix %s", (_, status, now, expected) => {
  expect(sharedPixState({ status, pixCode: "000201", expiresAt: END }, now)).toBe(expected);
});

test.each([
  ["a code", { pixCode: null, expiresAt: END }],
  ["an end", { pixCode: "000201", expiresAt: null }],
])("a charge without %s cannot share its Pix", (_, missing) => {
  expect(sharedPixState({ status: "awaiting_payment", ...missing }, END - 1)).toBeNull();
});
