import type { Random } from "#drizzle/seed/random.ts";

/** A drawing and what someone who cannot see it should be told. */
export type Picture = { svg: string; alt: string };
type Scene = (random: Random) => Picture;
/** One creator's hand: the scenes it knows, each different with every seed. */
export type Hand = Record<string, Scene>;

const WIDTH = 960;
const HEIGHT = 640;

/** The five fixed papers of the house, and their ground. */
export const paper = {
  blue: "#1F3F8F",
  brick: "#D9532C",
  mustard: "#F2B632",
  forest: "#0E6B46",
  pink: "#EFA3B8",
  cream: "#F6EBD3",
  ink: "#15170F",
};

const n = (value: number): string => String(Math.round(value * 10) / 10);

export const rect = (
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  more = "",
): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${fill}" ${more}/>`;
export const circle = (x: number, y: number, radius: number, fill: string, more = ""): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}" ${more}/>`;
export const ellipse = (
  x: number,
  y: number,
  rx: number,
  ry: number,
  fill: string,
  more = "",
): string =>
  `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" fill="${fill}" ${more}/>`;
export const path = (d: string, fill: string, more = ""): string =>
  `<path d="${d}" fill="${fill}" ${more}/>`;
export const line = (d: string, stroke: string, width: number, more = ""): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${n(width)}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;
export const ring = (
  x: number,
  y: number,
  radius: number,
  stroke: string,
  width: number,
  more = "",
): string => circle(x, y, radius, "none", `stroke="${stroke}" stroke-width="${n(width)}" ${more}`);
export const polygon = (
  points: readonly (readonly [number, number])[],
  fill: string,
  more = "",
): string =>
  `<polygon points="${points.map(([x, y]) => `${n(x)},${n(y)}`).join(" ")}" fill="${fill}" ${more}/>`;
export const group = (transform: string, ...children: string[]): string =>
  `<g transform="${transform}">${children.join("")}</g>`;
export const at = (x: number, y: number, scale = 1, degrees = 0): string =>
  `translate(${n(x)} ${n(y)}) rotate(${n(degrees)}) scale(${n(scale * 100) === "100" ? 1 : scale.toFixed(3)})`;
export const times = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join("");

/** A whole drawing on a flat ground. */
export function sheet(ground: string, ...children: string[]): string {
  return framed(WIDTH, HEIGHT, ground, ...children);
}

export function framed(
  width: number,
  height: number,
  ground: string,
  ...children: string[]
): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${rect(0, 0, width, height, ground)}${children.join("")}</svg>`;
}

/** A band of land or water from `top` down to the lower edge, with `waves` soft crests. */
export function hills(
  random: Random,
  top: number,
  height: number,
  waves: number,
  fill: string,
): string {
  const step = WIDTH / waves;
  const phase = random.between(-step, 0);
  let d = `M ${n(phase - step)} ${n(top)}`;
  for (let x = phase - step; x < WIDTH + step; x += step) {
    const rise = height * random.between(0.5, 1);
    d += ` C ${n(x + step * 0.25)} ${n(top - rise)} ${n(x + step * 0.3)} ${n(top - rise)} ${n(x + step * 0.5)} ${n(top)}`;
    d += ` S ${n(x + step * 0.75)} ${n(top + rise * 0.8)} ${n(x + step)} ${n(top)}`;
  }
  return path(`${d} V ${HEIGHT + 40} H -400 Z`, fill);
}

/** Paper sun: a disc and `countGenerated` blunt rays. */
export function sun(
  x: number,
  y: number,
  radius: number,
  count: number,
  disc: string,
  ray: string,
): string {
  const rays = times(count, (index) => {
    const angle = (index / count) * Math.PI * 2;
    const from = radius * 1.28;
    const to = radius * 1.72;
    return line(
      `M ${n(x + Math.cos(angle) * from)} ${n(y + Math.sin(angle) * from)} L ${n(x + Math.cos(angle) * to)} ${n(y + Math.sin(angle) * to)}`,
      ray,
      radius * 0.12,
    );
  });
  return rays + circle(x, y, radius, disc);
}

/** Points of a regular shape around a centre, the first one up. */
export function around(
  x: number,
  y: number,
  radius: number,
  count: number,
  turn = 0,
): [number, number][] {
  return Array.from({ length: count }, (_, index) => {
    const angle = (index / count) * Math.PI * 2 - Math.PI / 2 + turn;
    return [x + Math.cos(angle) * radius, y + Math.sin(angle) * radius];
  });
}

export function star(
  x: number,
  y: number,
  radius: number,
  fill: string,
  points = 5,
  depth = 0.45,
): string {
  const outer = around(x, y, radius, points);
  const inner = around(x, y, radius * depth, points, Math.PI / points);
  return polygon(
    outer.flatMap((point, index) => [point, inner[index] ?? point]),
    fill,
  );
}
