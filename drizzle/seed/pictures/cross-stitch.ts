import { line, rect, sheet } from "./pen.ts";
import type { Hand } from "./pen.ts";
import type { Random } from "#drizzle/seed/random.ts";

const CELL = 20;
const COLUMNS = 48;
const ROWS = 32;
const cloths = ["#F3ECDD", "#E9E1CC", "#DCE5E4", "#F4E3DC", "#24304A"];
const threads = ["#C8312E", "#1F4E8C", "#2F7A46", "#E0A12B", "#C2417A", "#6B3A7D", "#D9692C"];

type Cloth = {
  cells: Map<string, string>;
  stitch(column: number, row: number, colour: string): void;
};

function cloth(): Cloth {
  const cells = new Map<string, string>();
  return {
    cells,
    stitch: (column, row, colour) =>
      void (
        column >= 1 &&
        column < COLUMNS - 1 &&
        row >= 1 &&
        row < ROWS - 1 &&
        cells.set(`${column},${row}`, colour)
      ),
  };
}

/** Every stitch is a cross of two threads, one path a colour. */
function sewn(ground: string, { cells }: Cloth): string {
  const byColour = new Map<string, string>();
  for (const [key, colour] of cells) {
    const [column = 0, row = 0] = key.split(",").map(Number);
    const x = column * CELL + 3.5;
    const y = row * CELL + 3.5;
    byColour.set(colour, `${byColour.get(colour) ?? ""}M${x} ${y}l13 13m0 -13l-13 13`);
  }
  let weave = "";
  for (let column = 0; column <= COLUMNS; column += 1) weave += `M${column * CELL} 0V640`;
  for (let row = 0; row <= ROWS; row += 1) weave += `M0 ${row * CELL}H960`;
  return sheet(
    ground,
    line(weave, ground === "#24304A" ? "#2F3D5C" : "#00000012", 2),
    [...byColour].map(([colour, d]) => line(d, colour, 5)).join(""),
    rect(0, 0, 960, 640, "none"),
  );
}

/**
 * Sews `rows` of a chart (letters are thread numbers, dots are cloth) with its corner at column,
 * row.
 */
function chart(
  target: Cloth,
  column: number,
  row: number,
  rows: readonly string[],
  colours: readonly string[],
): void {
  rows.forEach((text, dy) =>
    [...text].forEach((letter, dx) => {
      const colour = colours[letter.charCodeAt(0) - 97];
      if (colour) target.stitch(column + dx, row + dy, colour);
    }),
  );
}

function border(target: Cloth, random: Random, [first, second]: readonly string[]): void {
  const period = random.pick([4, 6]);
  for (let column = 1; column < COLUMNS - 1; column += 1) {
    const wave = Math.abs((column % period) - period / 2);
    for (const row of [1 + wave, ROWS - 2 - wave]) target.stitch(column, row, first ?? "#C8312E");
    for (const row of [period / 2 + 2, ROWS - period / 2 - 3])
      target.stitch(column, row, second ?? "#1F4E8C");
  }
}

const rose = [
  "....aaa....",
  "..aabbbaa..",
  ".aabbabbaa.",
  ".abbaaabba.",
  "aabaabaabaa",
  ".abbaaabba.",
  ".aabbabbaa.",
  "..aabbbaa..",
  "....aaa....",
  ".cc..c..cc.",
  "ccc..c..ccc",
  ".ccc.c.ccc.",
  "...ccccc...",
  ".....c.....",
];
const bird = [
  "....aaa.........",
  "...aaaaa........",
  "..aadaaaa.......",
  "bbaaaaaaaa......",
  "..aaaaacccaa....",
  "...aaaccccaaa...",
  "...aacccccaaaa..",
  "....aacccaaaaaaa",
  ".....aaaaaa..aaa",
  "......b..b......",
  "......b..b......",
  ".....bb.bb......",
];
const heart = [
  "..aaa...aaa..",
  ".aabbaaabbaa.",
  "aabbbbabbbbaa",
  "aabbbbbbbbbaa",
  "aabbbbbbbbbaa",
  ".aabbbbbbbaa.",
  "..aabbbbbaa..",
  "...aabbbaa...",
  "....aabaa....",
  ".....aaa.....",
  "......a......",
];
const house = [
  ".......a.......",
  "......aaa......",
  ".....aaaaa.....",
  "....aaaaaaa....",
  "...aaaaaaaaa...",
  "..aaaaaaaaaaa..",
  ".aaaaaaaaaaaaa.",
  "..bbbbbbbbbbb..",
  "..bccbbbbbccb..",
  "..bccbdddbccb..",
  "..bbbbdddbbbb..",
  "..bbbbdddbbbb..",
  "..bbbbdddbbbb..",
];

function repeated(
  random: Random,
  motif: readonly string[],
  gap: number,
  rowStart: number,
): { sewing: Cloth; ground: string; count: number } {
  const sewing = cloth();
  const ground = random.pick(cloths);
  const colours = random.shuffled(
    ground === "#24304A" ? ["#F3ECDD", "#E0A12B", "#EFA3B8", "#8FC3A0", "#F08A6B"] : threads,
  );
  border(sewing, random, colours.slice(2));
  const width = motif[0]?.length ?? 12;
  const count = Math.floor(44 / (width + gap));
  const left = Math.floor((COLUMNS - count * width - (count - 1) * gap) / 2);
  for (let index = 0; index < count; index += 1)
    chart(
      sewing,
      left + index * (width + gap),
      rowStart + (count > 2 ? (index % 2) * 2 : 0),
      motif,
      index % 2 === 0 ? colours : [colours[1] ?? "", colours[0] ?? "", ...colours.slice(2)],
    );
  return { sewing, ground, count };
}

const numerals = ["", "um", "dois", "três", "quatro"];

function rosas(random: Random) {
  const { sewing, ground, count } = repeated(random, rose, random.int(2, 4), 8);
  return {
    svg: sewn(ground, sewing),
    alt: `Ponto cruz: barrado com ${count === 1 ? "uma rosa" : count === 2 ? "duas rosas" : `${numerals[count] ?? "três"} rosas`} de folhas verdes e bordinha em zigue-zague.`,
  };
}
function passaros(random: Random) {
  const { sewing, ground } = repeated(random, bird, random.int(3, 6), 9);
  return {
    svg: sewn(ground, sewing),
    alt: "Ponto cruz: dois passarinhos virados para o mesmo lado entre duas barras coloridas.",
  };
}
function coracoes(random: Random) {
  const { sewing, ground } = repeated(random, heart, random.int(1, 3), 9);
  return {
    svg: sewn(ground, sewing),
    alt: "Ponto cruz: corações de duas cores lado a lado, com barra em zigue-zague.",
  };
}
function casinhas(random: Random) {
  const { sewing, ground } = repeated(random, house, random.int(0, 6), 9);
  return {
    svg: sewn(ground, sewing),
    alt: "Ponto cruz: casinhas de telhado colorido, porta e duas janelas, em fila.",
  };
}

/** A quarter is drawn by chance and mirrored both ways, as in the old samplers. */
function medalhao(random: Random) {
  const sewing = cloth();
  const ground = random.pick(cloths);
  const colours = random
    .shuffled(ground === "#24304A" ? ["#F3ECDD", "#E0A12B", "#EFA3B8", "#8FC3A0"] : threads)
    .slice(0, 4);
  const pulse = random.between(0.5, 1.4);
  for (let dx = 0; dx < 23; dx += 1) {
    for (let dy = 0; dy < 15; dy += 1) {
      const far = dx * 0.68 + dy + Math.sin(dx * pulse) * 1.8;
      const band = Math.floor(far) % 6;
      if (far > 15.5 || band === 5 || band === 2) continue;
      const colour =
        colours[(Math.floor(far / 3) + (band === 0 ? 1 : 0)) % colours.length] ?? "#C8312E";
      for (const [column, row] of [
        [23 - dx, 15 - dy],
        [24 + dx, 15 - dy],
        [23 - dx, 16 + dy],
        [24 + dx, 16 + dy],
      ] as const)
        sewing.stitch(column, row, colour);
    }
  }
  return {
    svg: sewn(ground, sewing),
    alt: "Ponto cruz: medalhão simétrico em losangos, do centro para as beiras, em quatro linhas.",
  };
}

/** Zefa: counted cross stitch. */
export const crossStitch = { rosas, passaros, coracoes, casinhas, medalhao } satisfies Hand;
