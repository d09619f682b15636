import fc from "fast-check";
import { expect, test } from "vitest";
import {
  groupName,
  groupNamed,
  leftCents,
  PRICE_BANDS_CENTS,
  shareOf,
  sumOf,
} from "#app/domain/ledger/rules/margin.ts";
import type { MarginGroup } from "#app/domain/ledger/rules/margin.ts";

const METHODS = ["pix", "card"] as const;

const groups: MarginGroup[] = [
  { of: "debts" },
  { of: "transfers" },
  { of: "rest" },
  ...METHODS.flatMap((method) =>
    PRICE_BANDS_CENTS.map((_, band): MarginGroup => ({ of: "sales", method, band })),
  ),
];

test("each group is found by its name, and nothing else is", () => {
  for (const group of groups) expect(groupNamed(groupName(group), METHODS)).toEqual(group);
  for (const name of [
    undefined,
    "",
    "pix",
    "pix-",
    "pix-9",
    "boleto-1",
    "pix-1 ",
    "fees",
    "constructor",
  ])
    expect(groupNamed(name, METHODS)).toBeNull();
});

test.each<[number, number, number | null]>([
  [100, 1_990, 503],
  [-18, 500, -360],
  [1, 3, 3_333],
  [1, 20_000, 1],
  [-1, 20_000, -1],
  [0, 500, 0],
  [5, 0, null],
])("%d of %d is %s basis points", (cents, grossCents, share) => {
  expect(shareOf(cents, grossCents)).toBe(share);
});

test("what is left of the sum is the sum of what is left", () => {
  const cents = fc.integer({ min: -10_000_00, max: 10_000_00 });
  const line = fc.record({
    count: fc.nat(9),
    grossCents: fc.nat(10_000_00),
    feeCents: cents,
    costCents: cents,
  });
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      expect(leftCents(sumOf(lines))).toBe(lines.reduce((sum, one) => sum + leftCents(one), 0));
    }),
  );
});
