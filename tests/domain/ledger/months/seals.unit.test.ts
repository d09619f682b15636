import { expect, test } from "vitest";
import { monthBounds, monthAfter, monthOf } from "#app/domain/ledger/months/rules/months.ts";
import { extendHash, monthToSeal, sealLine } from "#app/domain/ledger/months/rules/seals.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { instantOfIsoDay, MINUTE_MS } from "#app/domain/time.ts";

const at = instantOfIsoDay;

test.each([
  ["2026-01", "2026-02"],
  ["2026-12", "2027-01"],
])("%s is followed by %s, which starts where it ends", (month, next) => {
  expect(monthAfter(month)).toBe(next);
  expect(monthBounds(month).until).toBe(monthBounds(next).from);
  expect(monthOf(monthBounds(month).until - 1)).toBe(month);
  expect(monthOf(monthBounds(month).from)).toBe(month);
});

test.each([
  [
    "nothing was ever posted",
    { lastSealed: null, firstEntryAt: null, now: at("2026-03-02") },
    null,
  ],
  [
    "the first month is not over",
    { lastSealed: null, firstEntryAt: at("2026-01-10"), now: at("2026-01-31") },
    null,
  ],
  [
    "a minute before the day of grace is over",
    { lastSealed: null, firstEntryAt: at("2026-01-10"), now: at("2026-02-02") - MINUTE_MS },
    null,
  ],
  [
    "the day of grace is over",
    { lastSealed: null, firstEntryAt: at("2026-01-10"), now: at("2026-02-02") },
    "2026-01",
  ],
  [
    "earlier months, one by one",
    { lastSealed: "2025-11", firstEntryAt: at("2025-11-10"), now: at("2026-02-02") },
    "2025-12",
  ],
  [
    "the last one is sealed",
    { lastSealed: "2026-01", firstEntryAt: at("2025-11-10"), now: at("2026-02-28") },
    null,
  ],
])("%s", (_, input, month) => {
  expect(monthToSeal(input)).toBe(month);
});

test("no two entries have the same line, and each hash depends on the previous one", async () => {
  const entry = {
    id: "t-0",
    transactionId: "t",
    sourceKey: "charge:c:succeeded",
    kind: "charge.succeeded",
    chargeId: "c",
    payoutId: null,
    postedAt: 1,
    accountId: "platform_fees",
    amountCents: -50,
  };
  const changed = [
    { id: "t-1" },
    { transactionId: "u" },
    { sourceKey: "charge:d:succeeded" },
    { kind: "charge.refunded" },
    { chargeId: "d" },
    { chargeId: null },
    { payoutId: "p" },
    { chargeId: null, payoutId: "c" },
    { postedAt: 2 },
    { accountId: "platform_cash" },
    { amountCents: 50 },
  ];
  expect(
    new Set([entry, ...changed.map((change) => ({ ...entry, ...change }))].map(sealLine)).size,
  ).toBe(changed.length + 1);
  expect(await extendHash(sha256Hex, "a", "x")).not.toBe(await extendHash(sha256Hex, "b", "x"));
});
