import fc from "fast-check";
import { expect, test } from "vitest";
import { durationText } from "#app/components/analytics/format.ts";
import { retentionCurve } from "#app/domain/analytics/posts/rules.ts";

test("a curve has the share that reached each twentieth", () => {
  const curve = retentionCurve([
    { step: 0, plays: 1 },
    { step: 10, plays: 1 },
    { step: 20, plays: 2 },
  ]);
  expect(curve).toHaveLength(21);
  expect(curve[0]).toEqual({ percent: 0, plays: 4, share: 1 });
  expect(curve[1]).toEqual({ percent: 5, plays: 3, share: 0.75 });
  expect(curve[11]).toEqual({ percent: 55, plays: 2, share: 0.5 });
  expect(curve.at(-1)).toEqual({ percent: 100, plays: 2, share: 0.5 });
});

test("nothing said is no curve", () => {
  expect(retentionCurve([])).toEqual([]);
});

test("a curve starts at everything and never rises", () => {
  const step = fc.record({ step: fc.integer({ min: 0, max: 20 }), plays: fc.nat({ max: 50 }) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const shares = retentionCurve(steps).map(({ share }) => share);
      expect(shares[0] ?? 1).toBe(1);
      expect(shares.every((share, at) => at === 0 || share <= (shares[at - 1] ?? 0))).toBe(true);
    }),
  );
});

test.each([
  [0.4, "0 s"],
  [45, "45 s"],
  [60, "1 min"],
  [80.2, "1 min 20 s"],
])("%d seconds are %o", (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
