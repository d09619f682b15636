import fc from "fast-check";
import { expect, test } from "vitest";
import {
  marginGroupName,
  parseMarginGroup,
  marginCents,
  PRICE_BANDS_CENTS,
  shareInBasisPoints,
  sumMarginLines,
} from "#app/domain/ledger/margin/rules.ts";
import type { MarginGroup } from "#app/domain/ledger/margin/rules.ts";

const METHODS = ["pix", "card"] as const;

const groups: MarginGroup[] = [
  { of: "debts" },
  { of: "transfers" },
  { of: "rest" },
  ...METHODS.flatMap((method) =>
    PRICE_BANDS_CENTS.map((_, band): MarginGroup => ({ of: "sales", method, band })),
  ),
];

test("each margin group is found by its name, and no other name is", () => {
  for (const group of groups)
    expect(parseMarginGroup(marginGroupName(group), METHODS)).toEqual(group);
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
    expect(parseMarginGroup(name, METHODS)).toBeNull();
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
  expect(shareInBasisPoints(cents, grossCents)).toBe(share);
});

test("the net of the sum is the sum of the nets", () => {
  const cents = fc.integer({ min: -10_000_00, max: 10_000_00 });
  const line = fc.record({
    count: fc.nat(9),
    grossCents: fc.nat(10_000_00),
    feeCents: cents,
    costCents: cents,
  });
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      expect(marginCents(sumMarginLines(lines))).toBe(
        lines.reduce((sum, one) => sum + marginCents(one), 0),
      );
    }),
  );
});
