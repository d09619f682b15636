import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bandeirinhas,
  bandeirinhasSvg,
  FLAG_COLOURS,
  FLAG_HEX,
  FLAG_PITCH,
} from "#app/lib/bandeirinhas-pattern.ts";

const shape = { columns: 12, rows: 4 };

test("the same seed draws the same flags, on every machine", () => {
  expect(bandeirinhas({ seed: "ana", ...shape })).toEqual(bandeirinhas({ seed: "ana", ...shape }));
  const first = bandeirinhas({ seed: "ana", ...shape }).flags.slice(0, 3);
  expect(first).toMatchInlineSnapshot(`
    [
      {
        "colour": "blue",
        "column": 0,
        "row": 0,
        "x": -30,
        "y": 0,
      },
      {
        "colour": "brick",
        "column": 1,
        "row": 0,
        "x": 10,
        "y": 0,
      },
      {
        "colour": "forest",
        "column": 3,
        "row": 0,
        "x": 90,
        "y": 0,
      },
    ]
  `);
});

test("another seed draws other flags", () => {
  expect(bandeirinhas({ seed: "ana", ...shape })).not.toEqual(
    bandeirinhas({ seed: "tiao", ...shape }),
  );
});

test("for any seed, flags hang from their strings, in the five colors, and fill the width", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 12 }),
      (seed, columns, rows) => {
        const pattern = bandeirinhas({ seed, columns, rows });
        expect(pattern.strings).toHaveLength(rows);
        for (const flag of pattern.flags) {
          expect(FLAG_COLOURS).toContain(flag.colour);
          expect(pattern.strings).toContain(flag.y);
          expect(flag.x).toBeGreaterThan(-FLAG_PITCH);
          expect(flag.x).toBeLessThanOrEqual(pattern.width);
        }
      },
    ),
  );
});

test("a wider pattern only adds flags to the right", () => {
  const narrow = bandeirinhas({ seed: "roda", columns: 8, rows: 1 }).flags;
  const wide = bandeirinhas({ seed: "roda", columns: 16, rows: 1 }).flags;
  expect(wide.slice(0, narrow.length)).toEqual(narrow);
});

test("the file of a pattern has no text of the seed, so a name never becomes markup", () => {
  const svg = bandeirinhasSvg({ seed: '"><script>alert(1)</script>', ...shape });
  expect(svg).not.toContain("script");
  expect(svg).toContain(FLAG_HEX.brick);
  expect(bandeirinhasSvg({ seed: "ana", ...shape, isDark: true })).toContain("#1D2438");
});
