import { line, paper, polygon, rect, sheet } from "#drizzle/seed/pictures/pen.ts";
import type { Stroke } from "./sound.ts";

/** Frames as SVG of 960 by 640. */
export type Film = {
  frames: string[];
  fps: number;
  /** The second that becomes the poster. */
  posterAt: number;
  sound: { seconds: number; strokes: Stroke[] } | null;
};

const FPS = 12;
const clamp = (value: number): number => Math.max(0, Math.min(1, value));

const WOOD = "#C98B4E";
const DARK_WOOD = "#9A6231";
const TAILS = [190, 390, 590];
const SAW_SECONDS = 1.2;
/** The six sides of three tails: each is marked, then sawn outside of the mark. */
const SIDES = TAILS.flatMap((x) => [
  { top: x, foot: x + 34 },
  { top: x + 170, foot: x + 136 },
]);
const MARKED_SECONDS = 3;
const SAWN_SECONDS = MARKED_SECONDS + SIDES.length * SAW_SECONDS;

function board(at: number): string {
  const sawn = (at - MARKED_SECONDS) / SAW_SECONDS;
  const marks = SIDES.map(({ top, foot }, index) => {
    const drawn = clamp((at - index * 0.45) / 0.4);
    const x = top + (foot - top) * drawn;
    return drawn > 0
      ? line(`M ${top} 190 L ${x.toFixed(1)} ${(190 + 180 * drawn).toFixed(1)}`, paper.ink, 4)
      : "";
  });
  const cuts = SIDES.map(({ top, foot }, index) => {
    const deep = clamp(sawn - index);
    const x = top + (foot - top) * deep;
    return deep > 0
      ? line(`M ${top} 190 L ${x.toFixed(1)} ${(190 + 180 * deep).toFixed(1)}`, paper.cream, 9)
      : "";
  });
  return [
    rect(120, 190, 720, 330, WOOD),
    ...[230, 300, 410, 470].map((y) =>
      line(`M 120 ${y} Q 460 ${y + 26} 840 ${y - 6}`, DARK_WOOD, 3),
    ),
    line("M 120 370 H 840", paper.ink, 3, 'stroke-dasharray="10 8"'),
    ...marks,
    ...cuts,
  ].join("");
}

function saw(at: number): string {
  const index = Math.floor((at - MARKED_SECONDS) / SAW_SECONDS);
  const side = SIDES[index];
  if (!side || at < MARKED_SECONDS) return "";
  const deep = clamp((at - MARKED_SECONDS) / SAW_SECONDS - index);
  const x = side.top + (side.foot - side.top) * deep + Math.sin(at * 16) * 46;
  const y = 190 + 180 * deep;
  return (
    polygon(
      [
        [x - 190, y - 64],
        [x + 150, y - 40],
        [x + 150, y],
        [x - 190, y],
      ],
      "#C9D2D4",
    ) + rect(x + 140, y - 78, 96, 96, paper.brick)
  );
}

/** The sides fall away once all are sawn, and the tails stay. */
function tails(at: number): string {
  if (at < SAWN_SECONDS) return "";
  const fallen = clamp((at - SAWN_SECONDS) / 0.8) * 420;
  const gaps = [
    [120, 190, 224, 120],
    [360, 390, 424, 326],
    [560, 590, 624, 526],
    [760, 840, 840, 726],
  ];
  return gaps
    .map(([left = 0, right = 0, footRight = 0, footLeft = 0]) => {
      const shape = (dy: number): [number, number][] => [
        [left, 184 + dy],
        [right, 184 + dy],
        [footRight, 370 + dy],
        [footLeft, 370 + dy],
      ];
      return (
        polygon(shape(0), paper.mustard) + (fallen < 420 ? polygon(shape(fallen), DARK_WOOD) : "")
      );
    })
    .join("");
}

/** Marks, saws and clears three dovetails. */
export function carpentry(): Film {
  const seconds = SAWN_SECONDS + 2;
  const frames = Array.from({ length: Math.round(seconds * FPS) }, (_, index) => {
    const at = index / FPS;
    return sheet(paper.mustard, rect(0, 520, 960, 120, DARK_WOOD), board(at), tails(at), saw(at));
  });
  const strokes = SIDES.flatMap((_, side) =>
    [0, 0.38, 0.78].map((offset) => ({
      start: MARKED_SECONDS + side * SAW_SECONDS + offset,
      length: 0.32,
      tool: "saw" as const,
    })),
  );
  return { frames, fps: FPS, posterAt: 5, sound: { seconds, strokes } };
}

const CELL = 64;
const ROSE = ["..aaa..", ".abbba.", "abbabba", "abaaaba", "abbabba", ".abbba.", "..aaa.."];

/** A rose sewn cross by cross, each of two threads; the needle stands at the last one. */
export function sewing(): Film {
  const crosses = ROSE.flatMap((row, y) =>
    [...row].flatMap((letter, x) =>
      letter === "."
        ? []
        : [{ x: 256 + x * CELL, y: 96 + y * CELL, colour: letter === "a" ? "#C8312E" : "#E0A12B" }],
    ),
  );
  let weave = "";
  for (let at = 0; at <= 960; at += CELL) weave += `M${at} 0V640M0 ${at + 32}H960`;
  const frames = Array.from({ length: Math.round(crosses.length * 3.2) + FPS * 2 }, (_, index) => {
    const sewn = index / 3.2;
    const last = crosses[Math.min(crosses.length - 1, Math.floor(sewn))];
    return sheet(
      "#F3ECDD",
      line(weave, "#00000014", 3),
      ...crosses.map(({ x, y, colour }, at) => thread(x, y, colour, sewn - at)),
      last && sewn < crosses.length
        ? line(`M ${last.x + 54} ${last.y + 10} l 120 -84`, "#8C979B", 8)
        : "",
    );
  });
  return { frames, fps: FPS, posterAt: 10.8, sound: null };
}

function thread(x: number, y: number, colour: string, done: number): string {
  const [first, second] = [clamp(done * 2), clamp(done * 2 - 1)];
  const size = CELL - 20;
  return (
    (first > 0 ? line(`M ${x + 10} ${y + 10} l ${size * first} ${size * first}`, colour, 14) : "") +
    (second > 0
      ? line(`M ${x + 10 + size} ${y + 10} l ${-size * second} ${size * second}`, colour, 14)
      : "")
  );
}
