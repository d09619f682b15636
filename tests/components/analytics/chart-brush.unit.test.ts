import fc from "fast-check";
import { expect, test } from "vitest";
import { barAt, chosenBars, movedByKey } from "#app/components/analytics/chart-brush.ts";

test.each([
  [0, 0],
  [99, 0],
  [100, 1],
  [699, 6],
  [700, 6],
  [-30, 0],
  [9_000, 6],
])("a point at %i of 700 pixels is over bar %i of seven", (x, bar) => {
  expect(barAt(x, 700, 7)).toBe(bar);
});

test("a chart that is not laid out yet has its first bar under the pointer", () => {
  expect(barAt(12, 0, 7)).toBe(0);
});

const key = (name: string, shiftKey = false) => ({ key: name, shiftKey });
const OF_DAYS = { count: 28, chooses: true };

test.each([
  ["ArrowRight", false, { at: 5, from: null }],
  ["ArrowLeft", false, { at: 3, from: null }],
  ["PageUp", false, { at: 7, from: null }],
  ["PageDown", false, { at: 1, from: null }],
  ["Home", false, { at: 0, from: null }],
  ["End", false, { at: 27, from: null }],
  ["ArrowRight", true, { at: 5, from: 4 }],
  ["Home", true, { at: 0, from: 4 }],
])("%s with Shift %s moves the reader", (name, shift, expected) => {
  expect(movedByKey({ at: 4, from: null }, key(name, shift), OF_DAYS)).toEqual(expected);
});

test("Shift goes on with the first choice, and an arrow alone or Esc ends it", () => {
  expect(movedByKey({ at: 6, from: 4 }, key("ArrowRight", true), OF_DAYS)).toEqual({
    at: 7,
    from: 4,
  });
  expect(movedByKey({ at: 6, from: 4 }, key("ArrowRight"), OF_DAYS)).toEqual({ at: 7, from: null });
  expect(movedByKey({ at: 6, from: 4 }, key("Escape"), OF_DAYS)).toEqual({ at: 6, from: null });
});

test("other keys are the browser's, and nothing is chosen on a chart that is not of days", () => {
  for (const name of ["Tab", "a", "Enter", "Escape"])
    expect(movedByKey({ at: 4, from: null }, key(name), OF_DAYS)).toBeNull();
  const curve = { count: 21, chooses: false };
  expect(movedByKey({ at: 4, from: null }, key("ArrowRight", true), curve)).toEqual({
    at: 5,
    from: null,
  });
});

test("whatever is pressed, the reader and the choice stay on the chart", () => {
  const names = ["ArrowRight", "ArrowLeft", "PageUp", "PageDown", "Home", "End", "Escape"];
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 92 }),
      fc.array(fc.tuple(fc.constantFrom(...names), fc.boolean())),
      (count, presses) => {
        let brush = { at: 0, from: null as number | null };
        for (const [name, shift] of presses)
          brush = movedByKey(brush, key(name, shift), { count, chooses: true }) ?? brush;
        const { first, last } = chosenBars(brush) ?? { first: brush.at, last: brush.at };
        expect(0 <= first && first <= last && last < count).toBe(true);
      },
    ),
  );
});
