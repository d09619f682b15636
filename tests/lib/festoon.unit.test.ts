import { expect, test } from "vitest";
import { festoon } from "#app/lib/festoon.ts";

const hung = {
  seed: "praça",
  from: { x: 0, y: 0 },
  to: { x: 400, y: 100 },
  sag: 40,
  pitch: 40,
};

test("one seed hangs the same flags on every machine, another one others", () => {
  expect(festoon(hung)).toEqual(festoon(hung));
  expect(festoon({ ...hung, seed: "outra" })).not.toEqual(festoon(hung));
});

test("the flags hang along the string, which sags below its ends", () => {
  const { path, flags } = festoon(hung);
  expect(path).toBe("M0 0Q200 130 400 100");
  expect(flags).toHaveLength(10);
  expect(flags.map(({ x }) => x)).toEqual(flags.map(({ x }) => x).toSorted((a, b) => a - b));
  expect(Math.max(...flags.map(({ y }) => y))).toBeGreaterThan(90);
  for (const { x, angle } of flags) {
    expect(x).toBeGreaterThan(0);
    expect(x).toBeLessThan(400);
    expect(Math.abs(angle)).toBeLessThanOrEqual(5);
  }
});

test("neighbours have different colours, and the beginning may be bare", () => {
  const { flags } = festoon(hung);
  for (const [index, { colour }] of flags.entries())
    expect(colour).not.toBe(flags[index + 1]?.colour);
  const bare = festoon({ ...hung, bareShare: 0.5 }).flags;
  expect(bare).toHaveLength(5);
  expect(Math.min(...bare.map(({ x }) => x))).toBeGreaterThan(200);
});
