import { rgb } from "@cantoo/pdf-lib";
import type { PDFPage } from "@cantoo/pdf-lib";
import { createPdfWriter, finishPdf, MARGIN } from "#app/http/files/pdf-writer.server.ts";
import type { PdfWriter } from "#app/http/files/pdf-writer.server.ts";

type Bytes = Promise<Uint8Array<ArrayBuffer>>;

const POINTS_PER_MM = 72 / 25.4;
const INK = rgb(0.08, 0.09, 0.06);

type Sheet = { title: string; seed: string; at: number; lines: string[] };

/** A page of A4 with a title and a few lines below it. */
async function begin({ title, seed, at, lines }: Sheet): Promise<PdfWriter> {
  const pen = await createPdfWriter({ title, seed, at });
  pen.page.drawText(title, { x: MARGIN, y: pen.y, size: 20, font: pen.bold, color: INK });
  pen.y -= 26;
  for (const line of lines) {
    pen.page.drawText(line, { x: MARGIN, y: pen.y, size: 11, font: pen.text, color: INK });
    pen.y -= 16;
  }
  return pen;
}

/** Draws a line between points in millimetres, from a corner in points. */
function stroke(
  page: PDFPage,
  corner: { x: number; y: number },
  points: readonly (readonly [number, number])[],
  thickness = 1,
): void {
  for (const [index, [x, y]] of points.slice(1).entries()) {
    const [fromX = 0, fromY = 0] = points[index] ?? [];
    page.drawLine({
      start: { x: corner.x + fromX * POINTS_PER_MM, y: corner.y - fromY * POINTS_PER_MM },
      end: { x: corner.x + x * POINTS_PER_MM, y: corner.y - y * POINTS_PER_MM },
      thickness,
      color: INK,
    });
  }
}

/** Dovetails of one to six in their real size, with a line to check the printer's scale. */
export async function dovetailTemplate(at: number): Bytes {
  const pen = await begin({
    title: "Rabo de andorinha, um para seis",
    seed: "tiao",
    at,
    lines: ["Imprima em 100%, sem ajustar à página. Corte fora do risco."],
  });
  const { page } = pen;
  const label = (text: string, x: number, y: number): void =>
    page.drawText(text, { x, y, size: 10, font: pen.text, color: INK });
  const corner = { x: MARGIN, y: pen.y - 60 };
  const [depth, slope] = [30, 5];
  const outline: [number, number][] = [[0, depth]];
  for (let index = 0; index < 4; index += 1) {
    const left = 12 + index * 38;
    outline.push([left + slope, depth], [left, 0], [left + 30, 0], [left + 30 - slope, depth]);
    label("rabo", corner.x + (left + 11) * POINTS_PER_MM, corner.y - 16 * POINTS_PER_MM);
  }
  stroke(page, corner, [...outline, [168, depth]], 1.4);
  stroke(
    page,
    corner,
    [
      [0, depth],
      [0, 70],
      [168, 70],
      [168, depth],
    ],
    1.4,
  );
  const ruler = { x: MARGIN, y: corner.y - 95 * POINTS_PER_MM };
  stroke(page, ruler, [
    [0, -2],
    [0, 2],
    [0, 0],
    [50, 0],
    [50, 2],
    [50, -2],
  ]);
  label("Confira: este traço mede 5 cm.", ruler.x + 55 * POINTS_PER_MM, ruler.y - 3);
  return await finishPdf(pen);
}

const THREADS = [
  { name: "Vermelho escuro, 498", mark: "x", colour: rgb(0.65, 0.1, 0.12) },
  { name: "Vermelho, 666", mark: "o", colour: rgb(0.88, 0.3, 0.3) },
  { name: "Amarelo, 743", mark: "+", colour: rgb(0.94, 0.72, 0.2) },
  { name: "Verde, 699", mark: "v", colour: rgb(0.18, 0.5, 0.28) },
] as const;
const ROWS = 31;
const COLUMNS = 25;

/** Which thread sews a stitch; null is bare cloth. The flower is above, stem and leaves below. */
function threadAt(column: number, row: number): number | null {
  const [dx, dy] = [column - 12, row - 10];
  const far = Math.abs(dx) * 0.85 + Math.abs(dy) * 0.6 + Math.sin(Math.atan2(dy, dx) * 5) * 1.3;
  if (far < 2.2) return 2;
  if (far < 9.4) return Math.floor(far / 1.8) % 2;
  const isLeaf = row > 19 && row < 29 && Math.abs(Math.abs(dx) - (row - 17) * 0.8) < 2.2;
  return (column === 12 && row > 15) || isLeaf ? 3 : null;
}

/** A counted chart: a square a stitch, a heavier line every ten, and the threads beside it. */
export async function roseChart(at: number): Bytes {
  const pen = await begin({
    title: "Rosa de três cores",
    seed: "zefa",
    at,
    lines: ["31 pontos de altura por 25 de largura. Comece pelo miolo."],
  });
  const { page } = pen;
  const cell = 17;
  const top = pen.y - 20;
  for (let row = 0; row < ROWS; row += 1) {
    for (let column = 0; column < COLUMNS; column += 1) {
      const thread = THREADS[threadAt(column, row) ?? -1];
      if (!thread) continue;
      const [x, y] = [MARGIN + column * cell, top - (row + 1) * cell];
      page.drawRectangle({ x, y, width: cell, height: cell, color: thread.colour });
      const mark = { size: 9, font: pen.bold, color: rgb(1, 1, 1) };
      page.drawText(thread.mark, { x: x + 6, y: y + 5, ...mark });
    }
  }
  const rule = (index: number): number => (index % 10 === 0 ? 1.2 : 0.3);
  const [right, bottom] = [MARGIN + COLUMNS * cell, top - ROWS * cell];
  for (let column = 0; column <= COLUMNS; column += 1) {
    const x = MARGIN + column * cell;
    const [start, end] = [
      { x, y: top },
      { x, y: bottom },
    ];
    page.drawLine({ start, end, thickness: rule(column), color: INK });
  }
  for (let row = 0; row <= ROWS; row += 1) {
    const y = top - row * cell;
    const [start, end] = [
      { x: MARGIN, y },
      { x: right, y },
    ];
    page.drawLine({ start, end, thickness: rule(row), color: INK });
  }
  THREADS.forEach(({ name, mark, colour }, index) => {
    const y = bottom - 24 - index * 18;
    page.drawRectangle({ x: MARGIN, y: y - 3, width: 13, height: 13, color: colour });
    const text = { size: 11, font: pen.text, color: INK };
    page.drawText(`${mark}  ${name}`, { x: MARGIN + 22, y, ...text });
  });
  return await finishPdf(pen);
}

/** Six staves of one note, four to a bar. */
export async function singleNoteScore(at: number): Bytes {
  const pen = await begin({
    title: "Aula 9: o arco que não pesa",
    seed: "ana",
    at,
    lines: ["Um ré só, sem levantar o arco. Semínima = 60."],
  });
  const { page } = pen;
  const [gap, bar] = [7, 120];
  for (let staff = 0; staff < 6; staff += 1) {
    const bottom = pen.y - 70 - staff * 85;
    const right = MARGIN + bar * 4;
    for (let index = 0; index < 5; index += 1) {
      const y = bottom + index * gap;
      page.drawLine({ start: { x: MARGIN, y }, end: { x: right, y }, thickness: 0.6, color: INK });
    }
    for (let index = 0; index <= 4; index += 1) {
      const x = MARGIN + index * bar;
      const end = { x, y: bottom + 4 * gap };
      page.drawLine({ start: { x, y: bottom }, end, thickness: 0.9, color: INK });
    }
    for (let note = 0; note < 16; note += 1) {
      // A D in the treble clef hangs under the lowest line.
      const [x, y] = [MARGIN + 12 + note * 30, bottom - gap / 2];
      page.drawEllipse({ x, y, xScale: 4.6, yScale: 3.3, color: INK });
      page.drawLine({ start: { x: x + 4.2, y }, end: { x: x + 4.2, y: y + 24 }, color: INK });
    }
  }
  return await finishPdf(pen);
}
