import { seededNumbers, seedOf } from "./seeded.ts";

export const FLAG_COLOURS = ["brick", "mustard", "forest", "pink", "blue"] as const;
export type FlagColour = (typeof FLAG_COLOURS)[number];

export const FLAG_HEX: Record<FlagColour, string> = {
  blue: "#1F3F8F",
  brick: "#D9532C",
  mustard: "#F2B632",
  forest: "#0E6B46",
  pink: "#EFA3B8",
};

/** The background behind the flags, in the light and the dark theme. */
export const CLOTH_HEX = { light: "#F6EBD3", dark: "#1D2438" };

const FLAG_WIDTH = 34;
export const FLAG_PITCH = 40;
const FLAG_HEIGHT = 40;
const NOTCH_HEIGHT = 12;
export const ROW_PITCH = 47;

type Flag = { column: number; row: number; x: number; y: number; colour: FlagColour };

/** Rows of paper flags on strings: `width` and `height` are the units of the view box. */
export type FlagPattern = { width: number; height: number; strings: number[]; flags: Flag[] };

/**
 * Draws the bandeirinhas of a seed (a username, a title). Pure: the same seed gives the same flags
 * on every machine. Colours alternate along a string, a flag is missing now and then, and every row
 * hangs a little aside.
 */
export function bandeirinhas({
  seed,
  columns,
  rows,
}: {
  seed: string;
  columns: number;
  rows: number;
}): FlagPattern {
  const next = seededNumbers(seedOf(seed));
  const flags: Flag[] = [];
  const strings: number[] = [];
  for (let row = 0; row < rows; row += 1) {
    const y = row * ROW_PITCH;
    strings.push(y);
    const shift = Math.floor(next() * 4) * 10;
    const firstColour = Math.floor(next() * FLAG_COLOURS.length);
    for (let column = 0; column <= columns; column += 1) {
      const colour = FLAG_COLOURS[(firstColour + column) % FLAG_COLOURS.length] ?? "brick";
      const missing = next() < 0.2;
      if (!missing) flags.push({ column, row, x: column * FLAG_PITCH - shift, y, colour });
    }
  }
  return { width: columns * FLAG_PITCH, height: rows * ROW_PITCH, strings, flags };
}

/** Returns the outline of one flag: a rectangle with a notch below. */
export function flagPath({ x, y }: { x: number; y: number }): string {
  return `M${x} ${y}h${FLAG_WIDTH}v${FLAG_HEIGHT}l${-FLAG_WIDTH / 2} ${-NOTCH_HEIGHT}l${-FLAG_WIDTH / 2} ${NOTCH_HEIGHT}z`;
}

/**
 * Returns the pattern as a complete SVG file, to use outside a page. For example a share card, an
 * email, a seed picture.
 */
export function bandeirinhasSvg({
  seed,
  columns,
  rows,
  isDark = false,
}: {
  seed: string;
  columns: number;
  rows: number;
  isDark?: boolean;
}): string {
  const pattern = bandeirinhas({ seed, columns, rows });
  const shapes = pattern.flags
    .map((flag) => `<path d="${flagPath(flag)}" fill="${FLAG_HEX[flag.colour]}"/>`)
    .join("");
  const cloth = isDark ? CLOTH_HEX.dark : CLOTH_HEX.light;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${pattern.width} ${pattern.height}"><rect width="100%" height="100%" fill="${cloth}"/>${shapes}</svg>`;
}
