import { expect, test } from "vitest";
import { activeIndex, keyAfter } from "#app/components/palette/palette-options.tsx";
import type { PaletteOption } from "#app/components/palette/palette-options.tsx";

const options = (...keys: string[]): PaletteOption[] =>
  keys.map((key) => ({
    key,
    label: key,
    hint: "",
    picture: null,
    effect: { type: "go", to: `/${key}` },
  }));

test("the active option stays active when results come in before it", () => {
  const key = keyAfter(options("publicar", "search"), null, 1);
  expect(key).toBe("search");
  expect(activeIndex(options("publicar", "person rui", "post 1", "search"), key)).toBe(3);
});

test("without an active option, or once it is gone, the first is active", () => {
  expect(activeIndex(options("publicar", "search"), null)).toBe(0);
  expect(activeIndex(options("publicar", "search"), "person rui")).toBe(0);
});

test.each([
  ["search", 1, "publicar"],
  ["publicar", -1, "search"],
  [null, 1, "person rui"],
] as const)("from %s, %i leads to %s", (key, step, next) => {
  expect(keyAfter(options("publicar", "person rui", "search"), key, step)).toBe(next);
});

test("among no options there is none to be active", () => {
  expect(keyAfter([], null, 1)).toBeNull();
});
