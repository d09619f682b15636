import { FLAG_COLOURS } from "./bandeirinhas-pattern.ts";
import type { FlagColour } from "./bandeirinhas-pattern.ts";
import { seededNumbers, seedOf } from "./seeded.ts";

type Point = { x: number; y: number };

/** A flag on a string: where it hangs, and how far it swings (degrees). */
type HungFlag = Point & { angle: number; colour: FlagColour };

/** A string with its flags: `path` is its line. */
export type Festoon = { path: string; flags: HungFlag[] };

const SWING_DEGREES = 5;

/**
 * Hangs flags on a string between two points that sags by `sag`. Pure: the same seed hangs the same
 * flags on every machine. Colours follow one another as on every string of bandeirinhas.
 */
export function festoon({
  seed,
  from,
  to,
  sag,
  pitch,
  bareShare = 0,
}: {
  seed: string;
  from: Point;
  to: Point;
  sag: number;
  pitch: number;
  /** How much of the string has no flags yet, from its beginning (0 to 1). */
  bareShare?: number;
}): Festoon {
  const next = seededNumbers(seedOf(seed));
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 + 2 * sag };
  const count = Math.max(
    1,
    Math.floor(((1 - bareShare) * Math.hypot(to.x - from.x, to.y - from.y)) / pitch),
  );
  const firstColour = Math.floor(next() * FLAG_COLOURS.length);
  const flags = Array.from({ length: count }, (_, index): HungFlag => {
    const { x, y } = along(from, middle, to, bareShare + ((1 - bareShare) * (index + 0.5)) / count);
    return {
      x: rounded(x),
      y: rounded(y),
      angle: rounded((next() * 2 - 1) * SWING_DEGREES),
      colour: FLAG_COLOURS[(firstColour + index) % FLAG_COLOURS.length] ?? "brick",
    };
  });
  return { path: `M${from.x} ${from.y}Q${middle.x} ${middle.y} ${to.x} ${to.y}`, flags };
}

/** The point at `share` of a quadratic curve. */
function along(from: Point, middle: Point, to: Point, share: number): Point {
  const at = (one: number, two: number, three: number) =>
    (1 - share) ** 2 * one + 2 * share * (1 - share) * two + share ** 2 * three;
  return { x: at(from.x, middle.x, to.x), y: at(from.y, middle.y, to.y) };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
