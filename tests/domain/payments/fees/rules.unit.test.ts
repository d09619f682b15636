import { describe, expect, test } from "vitest";
import {
  parseReportMonth,
  monthBounds,
  monthAfter,
  monthBefore,
} from "#app/domain/ledger/months/rules/months.ts";
import { formatPercent } from "#app/domain/money.ts";
import { feeAt, feeChangeProblem } from "#app/domain/payments/fees/rules.ts";
import { feeChangeSchema } from "#app/domain/payments/schema/forms.ts";
import { addDays, HOUR_MS, instantOf } from "#app/domain/time.ts";

const TODAY = instantOf({ year: 2026, month: 11, day: 22 });
const NOW = TODAY + 15 * HOUR_MS;

describe("the fee in force", () => {
  const changes = [
    { basisPoints: 300, startsAt: TODAY },
    { basisPoints: 200, startsAt: addDays(TODAY, 10) },
    { basisPoints: 250, startsAt: addDays(TODAY, 10) },
    { basisPoints: null, startsAt: addDays(TODAY, 20) },
  ];
  test.each([
    ["a moment before the first change", TODAY - 1, 500],
    ["from its first moment on", TODAY, 300],
    ["of two on a day, the later written", addDays(TODAY, 10), 250],
    ["back to the platform's fee", addDays(TODAY, 20), 500],
  ])("%s", (_, at, expected) => {
    expect(feeAt(changes, 500, at)).toBe(expected);
  });
});

describe("a fee change", () => {
  test.each([
    ["lower, from today", { to: 300, startsAt: TODAY }, null],
    ["lower, from yesterday", { to: 300, startsAt: addDays(TODAY, -1) }, "past"],
    ["lower, in a year", { to: 300, startsAt: addDays(TODAY, 365) }, null],
    ["lower, a day after that", { to: 300, startsAt: addDays(TODAY, 366) }, "too_late"],
    ["to the current fee", { to: 500, startsAt: TODAY }, "same"],
    ["higher, in 29 days", { to: 501, startsAt: addDays(TODAY, 29) }, "raise_too_soon"],
    ["higher, in 30 days", { to: 501, startsAt: addDays(TODAY, 30) }, null],
  ] as const)("%s", (_, change, expected) => {
    expect(feeChangeProblem({ from: 500, now: NOW, ...change })).toBe(expected);
  });
});

test.each([
  ["", null],
  ["4,5", 450],
  ["4.99 %", 499],
  ["0", 0],
  ["100", 10_000],
  ["100,01", "refused"],
  ["-1", "refused"],
  ["4,999", "refused"],
  ["cinco", "refused"],
])("%j typed as a fee", (percent, expected) => {
  const read = feeChangeSchema.safeParse({
    username: "@Ana",
    percent,
    startsOn: "20/12/2026",
    note: "Parceria.",
  });
  expect(read.success ? read.data.percent : "refused").toBe(expected);
  if (read.success) expect(read.data.username).toBe("ana");
});

test.each([
  ["2026-11", "2026-11"],
  ["2026-01", "2026-01"],
  ["2026-12", "2026-11"],
  ["2026-13", "2026-11"],
  ["1999-01", "2026-11"],
  ["'; --", "2026-11"],
  [null, "2026-11"],
])("the month %j of a report is %s", (text, month) => {
  expect(parseReportMonth(text, NOW)).toBe(month);
});

test("months have the right neighbours across a year's end, without a gap", () => {
  expect([monthBefore("2026-01"), monthAfter("2025-12"), monthBefore("2026-11")]).toEqual([
    "2025-12",
    "2026-01",
    "2026-10",
  ]);
  expect(monthBounds("2026-01").from).toBe(monthBounds("2025-12").until);
});

test("a fee is formatted as text", () => {
  expect([500, 499, 450, 0].map(formatPercent)).toEqual(["5%", "4,99%", "4,5%", "0%"]);
});
