import { describe, expect, test } from "vitest";
import { shortcutOf, shortcutsFor } from "#app/components/palette/shortcuts.ts";

const FAN = {
  uncompletedFeatures: true,
  isCreator: false,
  publishes: false,
  readsMessages: true,
  isModerator: false,
};
const CREATOR = { ...FAN, isCreator: true, publishes: true };

const keysOf = (who: typeof FAN) => shortcutsFor(who).map(({ keys }) => keys.join(" "));
const effectOf = (who: typeof FAN, key: string, before: string | null = null) => {
  const found = shortcutOf(shortcutsFor(who), { key, before });
  return found === null || found === "first" ? found : found.effect;
};

describe("shortcuts", () => {
  test("no two have the same keys, and none starts with a whole other one", () => {
    const all = keysOf({ ...CREATOR, isModerator: true });
    expect(new Set(all).size).toBe(all.length);
    const pairs = all.filter((keys) => keys.includes(" "));
    expect(pairs.filter((keys) => all.includes(keys.split(" ")[0] ?? ""))).toEqual([]);
  });

  test.each([
    ["who creates", CREATOR, "n", true],
    ["who only reads", FAN, "n", false],
    ["a member who may not publish", { ...CREATOR, publishes: false }, "n", false],
    ["the staff", { ...FAN, isModerator: true }, "g o", true],
    ["everybody else", CREATOR, "g o", false],
    ["who reads the page's messages", CREATOR, "g m", true],
    ["who does not", { ...CREATOR, readsMessages: false }, "g m", false],
    [
      "everybody, also where other features are hidden",
      { ...CREATOR, uncompletedFeatures: false },
      "g m",
      true,
    ],
  ])("%s has only what they may do", (_, who, keys, isThere) => {
    expect(keysOf(who).includes(keys)).toBe(isThere);
  });

  test.each([
    ["/", null, { type: "palette" }],
    ["?", null, { type: "help" }],
    ["j", null, { type: "step", by: 1 }],
    ["k", null, { type: "step", by: -1 }],
    ["g", null, "first"],
    ["i", "g", { type: "go", to: "/" }],
    ["e", "g", { type: "go", to: "/explore" }],
    ["i", null, null],
    ["x", null, null],
    // A first key without its second counts for nothing.
    ["j", "g", { type: "step", by: 1 }],
    ["g", "g", "first"],
    ["x", "g", null],
    // Capital letters are typed with a modifier.
    ["J", null, null],
  ])("%s after %s does %o", (key, before, effect) => {
    expect(effectOf(CREATOR, key, before)).toEqual(effect);
  });
});
