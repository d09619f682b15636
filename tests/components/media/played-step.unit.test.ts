import fc from "fast-check";
import { expect, test } from "vitest";
import { playedStep } from "#app/components/media/played-step.ts";

/** What a player says of its ranges, in seconds. */
const ranges = (...pairs: [from: number, until: number][]) => ({
  length: pairs.length,
  start: (at: number) => pairs[at]?.[0] ?? 0,
  end: (at: number) => pairs[at]?.[1] ?? 0,
});

test.each([
  ["nothing", ranges(), 100, 0],
  ["the first half", ranges([0, 50]), 100, 10],
  ["the beginning and, after a seek, the end", ranges([0, 10], [90, 100]), 100, 4],
  ["all but the last moment, where a player's clock stops", ranges([0, 99.7]), 100, 20],
  ["all but the last five percent", ranges([0, 95]), 100, 19],
  ["three twentieths, in numbers that are not whole", ranges([0, 0.45]), 3, 3],
  ["more than a file is said to last", ranges([0, 12]), 10, 20],
  ["a stream without an end", ranges([0, 12]), Number.POSITIVE_INFINITY, 0],
  ["a file whose length is not known", ranges([0, 12]), Number.NaN, 0],
])("%s is so many twentieths", (_, played, seconds, steps) => {
  expect(playedStep(played, seconds)).toBe(steps);
});

test("a seek adds nothing, and what is played never takes away", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7_200 }),
      fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
      (seconds, cuts) => {
        const [a = 0, b = 0, c = 0, d = 0] = cuts.toSorted((x, y) => x - y).map((x) => x * seconds);
        const one = playedStep(ranges([a, b]), seconds);
        const both = playedStep(ranges([a, b], [c, d]), seconds);
        expect(both).toBeGreaterThanOrEqual(one);
        expect(both).toBeLessThanOrEqual(20);
        const share = (b - a + d - c) / seconds;
        if (share < 0.979) expect(both).toBe(Math.floor(Number((share * 20).toFixed(6))));
      },
    ),
  );
});
