import fc from "fast-check";
import { expect, test } from "vitest";
import { releaseDays } from "#app/domain/payouts/timeline/rules/release-days.ts";
import { addDays, instantOfIsoDay } from "#app/domain/time.ts";

const first = instantOfIsoDay("2026-12-01");
const days = (cents: readonly number[]) =>
  cents.map((netCents, index) => ({ releaseAt: addDays(first, index), netCents }));

test.each([
  { of: "nothing", dated: [], pending: 0, shown: 0, later: null, undated: 0 },
  {
    of: "a gift that nobody claimed",
    dated: [],
    pending: 1_890,
    shown: 0,
    later: null,
    undated: 1_890,
  },
  {
    of: "as many days as are shown",
    dated: Array<number>(12).fill(100),
    pending: 1_200,
    shown: 12,
    later: null,
    undated: 0,
  },
  {
    of: "a day more",
    dated: Array<number>(13).fill(100),
    pending: 1_300,
    shown: 12,
    later: { after: addDays(first, 11), netCents: 100 },
    undated: 0,
  },
  {
    of: "both",
    dated: Array<number>(20).fill(100),
    pending: 2_500,
    shown: 12,
    later: { after: addDays(first, 11), netCents: 800 },
    undated: 500,
  },
])("which amounts become available when, for $of", ({ dated, pending, shown, later, undated }) => {
  const coming = releaseDays(days(dated), pending);
  expect(coming.days).toHaveLength(shown);
  expect(coming).toMatchObject({ later, undatedCents: undated });
});

test("the lines always sum to the pending balance", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 400 }),
      fc.nat(1_000_000),
      (cents, undated) => {
        const pending = cents.reduce((sum, one) => sum + one, undated);
        const coming = releaseDays(days(cents), pending);
        expect(
          coming.days.reduce((sum, { netCents }) => sum + netCents, 0) +
            (coming.later?.netCents ?? 0) +
            coming.undatedCents,
        ).toBe(pending);
        expect(coming.undatedCents).toBe(undated);
      },
    ),
  );
});
