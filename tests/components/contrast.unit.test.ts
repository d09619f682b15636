import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRoot } from "#scripts/paths.ts";

const css = readFileSync(inRoot("app", "styles", "theme.css"), "utf8");

/** CSS variables of every rule with exactly this selector, unresolved. */
function variablesOf(selector: string): Map<string, string> {
  const rules = [...css.matchAll(/^ *(\S+) \{([^}]*)\}/gm)].filter((rule) => rule[1] === selector);
  const pairs = rules.flatMap((rule) => [...(rule[2] ?? "").matchAll(/--([\w-]+): ([^;]+);/g)]);
  return new Map(pairs.map((pair) => [pair[1] ?? "", pair[2] ?? ""]));
}

const light = variablesOf(":root");
const dark = new Map([...light, ...variablesOf(".dark")]);

type Linear = [red: number, green: number, blue: number];

/** Linear sRGB of `#rrggbb` or `oklch(l c h)`. Source: CSS Color 4, sections 9 and 18. */
function linearOf(colour: string): Linear {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  if (hex) {
    const channel = (text: string | undefined) => {
      const value = Number.parseInt(text ?? "0", 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    };
    return [channel(hex[1]), channel(hex[2]), channel(hex[3])];
  }
  const oklch = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(colour);
  if (!oklch) throw new Error(`not a colour that the table knows: ${colour}`);
  const [lightness, chroma, hue] = [
    Number(oklch[1]),
    Number(oklch[2]),
    (Number(oklch[3]) * Math.PI) / 180,
  ];
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clamped = (value: number) => Math.min(1, Math.max(0, value));
  return [
    clamped(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clamped(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clamped(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

const luminanceOf = (colour: string): number => {
  const [red, green, blue] = linearOf(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Contrast ratio. Source: WCAG 2.2, success criterion 1.4.3. */
function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

test("the contrast formula gives 21 for black on white and 4.54 for #767676 on white", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
});

const AA = 4.5;
const AAA = 7;
const NOT_TEXT = 3;

const PAIRS: [what: string, text: string, ground: string, least: number][] = [
  ...["paper", "card", "sand", "signal-soft"].map((ground): [string, string, string, number] => [
    "body text",
    "ink",
    ground,
    AAA,
  ]),
  ...["paper", "card", "sand", "signal-soft"].map((ground): [string, string, string, number] => [
    "secondary text",
    "muted",
    ground,
    AA,
  ]),
  ...["paper", "card", "sand"].map((ground): [string, string, string, number] => [
    "links and money in",
    "leaf",
    ground,
    AA,
  ]),
  ...["paper", "card", "attention-soft"].map((ground): [string, string, string, number] => [
    "attention",
    "attention",
    ground,
    AA,
  ]),
  ...["paper", "card", "refusal-soft"].map((ground): [string, string, string, number] => [
    "refusal",
    "refusal",
    ground,
    AA,
  ]),
  ...["paper", "card", "sand", "signal-soft"].map((ground): [string, string, string, number] => [
    "the count of a liked post",
    "liked",
    ground,
    AA,
  ]),
  ["text on the signal", "on-signal", "signal", AAA],
  ["text on the pressed signal", "on-signal", "signal-strong", AAA],
  ["text on ink", "paper", "ink", AAA],
  ["text on a dangerous button", "on-refusal", "refusal", AA],
  ["borders of inputs", "edge", "card", NOT_TEXT],
  ["borders of inputs", "edge", "paper", NOT_TEXT],
  ["focus", "leaf", "paper", NOT_TEXT],
];

for (const [theme, variables] of [
  ["light", light],
  ["dark", dark],
] as const) {
  test.each(PAIRS)(`${theme}: %s, %s on %s is at least %d`, (_what, text, ground, least) => {
    const [front, back] = [variables.get(text), variables.get(ground)];
    if (!front || !back) throw new Error(`theme.css has no --${text} or --${ground}`);
    expect(contrast(front, back)).toBeGreaterThanOrEqual(least);
  });
}

test("theme.css holds the colours of the visual identity", () => {
  expect(light.get("signal")).toBe("oklch(0.82 0.21 148)");
  expect(light.get("on-signal")).toBe("oklch(0.22 0.05 150)");
  expect([
    light.get("paper"),
    light.get("ink"),
    dark.get("paper"),
    dark.get("card"),
    dark.get("ink"),
  ]).toEqual(["#fbfaf6", "#15170f", "#0e110d", "#161a14", "#f2f1ea"]);
});
