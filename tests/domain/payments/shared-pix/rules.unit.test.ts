import { expect, test } from "vitest";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { sharedPixState } from "#app/domain/payments/shared-pix/rules.ts";
import { DAY_MS } from "#app/domain/time.ts";

const END = Date.UTC(2026, 10, 22, 12);

test.each<[string, ChargeStatus, number, ReturnType<typeof sharedPixState>]>([
  ["is open while its code is valid", "awaiting_payment", END - 1, "waiting"],
  ["ends with its code, before the provider reports it", "awaiting_payment", END, "over"],
  ["ends when it expired", "expired", END + 1, "over"],
  ["ends when it was canceled", "canceled", END - 1, "over"],
  ["is paid", "succeeded", END - 1, "paid"],
  ["is paid, also when paid late", "succeeded", END + DAY_MS, "paid"],
  ["was refunded", "refunded", END + 1, "returned"],
  ["does not show a dispute", "disputed", END - 1, "over"],
  ["does not exist a day after its code", "succeeded", END + DAY_MS + 1, null],
])("a shared Pix %s", (_, status, now, expected) => {
  expect(sharedPixState({ status, pixCode: "000201", expiresAt: END }, now)).toBe(expected);
});

test.each([
  ["a code", { pixCode: null, expiresAt: END }],
  ["an expiry", { pixCode: "000201", expiresAt: null }],
])("a charge without %s cannot share its Pix", (_, missing) => {
  expect(sharedPixState({ status: "awaiting_payment", ...missing }, END - 1)).toBeNull();
});
