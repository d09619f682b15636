import type {
  PrintableDocument,
  DocumentCell,
  DocumentSection,
  DocumentTable,
} from "#app/lib/paper.ts";
import {
  A4,
  drawTextLines,
  finishPdf,
  LINE,
  MARGIN,
  createPdfWriter,
  toPrintable,
  ensureSpace,
} from "./pdf-writer.server.ts";
import type { PdfWriter } from "./pdf-writer.server.ts";

const LABEL_WIDTH = 185;
const WIDTH = A4.width - 2 * MARGIN;
const CELL = 8.5;
/** The first column's share of a table's width; the others share the rest. */
const FIRST_COLUMN = 0.15;

/** Renders a document as a PDF, with the content of its page. */
export async function documentPdf(
  paper: PrintableDocument,
  at: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const pen = await createPdfWriter({ title: paper.fileTitle, seed: paper.seed, at });
  drawHead(pen, paper);
  for (const section of paper.sections) drawSection(pen, section);
  pen.y -= 8;
  for (const note of paper.foot)
    drawTextLines(pen, note, {
      x: MARGIN,
      width: WIDTH,
      size: 9,
      font: pen.text,
      colour: pen.muted,
    });
  return await finishPdf(pen);
}

/** The response with the PDF: downloaded as `name`, and never cached. */
export function pdfResponse(bytes: Uint8Array<ArrayBuffer>, name: string): Response {
  return new Response(bytes, {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="${name}.pdf"`,
      "Cache-Control": "private, no-store",
    },
  });
}

function drawHead(pen: PdfWriter, paper: PrintableDocument): void {
  pen.page.drawText("Coreto", { x: MARGIN, y: pen.y, size: 13, font: pen.bold, color: pen.ink });
  pen.y -= 34;
  pen.page.drawText(paper.title, { x: MARGIN, y: pen.y, size: 26, font: pen.bold, color: pen.ink });
  const title = pen.bold.widthOfTextAtSize(paper.title, 26);
  const notice = `(${paper.notice.toLowerCase()})`;
  const fits = MARGIN + title + 10 + pen.text.widthOfTextAtSize(notice, 12) < A4.width - MARGIN;
  if (!fits) pen.y -= 20;
  pen.page.drawText(notice, {
    x: fits ? MARGIN + title + 10 : MARGIN,
    y: pen.y,
    size: 12,
    font: pen.text,
    color: pen.muted,
  });
  if (paper.total !== null) {
    const total = toPrintable(pen.bold, paper.total);
    pen.page.drawText(total, {
      x: A4.width - MARGIN - pen.bold.widthOfTextAtSize(total, 22),
      y: pen.y,
      size: 22,
      font: pen.bold,
      color: pen.ink,
    });
  }
  pen.y -= 20;
  pen.page.drawText(toPrintable(pen.text, paper.line), {
    x: MARGIN,
    y: pen.y,
    size: 9,
    font: pen.text,
    color: pen.muted,
  });
  pen.y -= 26;
}

function drawSection(pen: PdfWriter, { title, details = [], table, note }: DocumentSection): void {
  ensureSpace(pen, 3 * LINE);
  pen.page.drawLine({
    start: { x: MARGIN, y: pen.y + 12 },
    end: { x: A4.width - MARGIN, y: pen.y + 12 },
    thickness: 0.7,
    color: pen.line,
  });
  pen.y -= 6;
  pen.page.drawText(title, { x: MARGIN, y: pen.y, size: 11, font: pen.bold, color: pen.ink });
  pen.y -= LINE + 3;
  for (const { label, value } of details) {
    ensureSpace(pen, LINE);
    const top = pen.y;
    const page = pen.page;
    drawTextLines(pen, label, {
      x: MARGIN,
      width: LABEL_WIDTH - 10,
      size: 10,
      font: pen.text,
      colour: pen.muted,
    });
    const below = pen.page === page ? pen.y : top;
    pen.y = pen.page === page ? top : pen.y;
    drawTextLines(pen, value, {
      x: MARGIN + LABEL_WIDTH,
      width: WIDTH - LABEL_WIDTH,
      size: 10,
      font: pen.text,
      colour: pen.ink,
    });
    pen.y = Math.min(pen.y, below);
  }
  if (table && table.rows.length > 0) drawTable(pen, table);
  if (note)
    drawTextLines(pen, note, {
      x: MARGIN,
      width: WIDTH,
      size: 9,
      font: pen.text,
      colour: pen.muted,
    });
  pen.y -= 14;
}

/**
 * Draws a table. The first column is left-aligned; the others are amounts, right-aligned. The head
 * is repeated on every page.
 */
function drawTable(pen: PdfWriter, { head: headings, rows, last }: DocumentTable): void {
  const head = headings.map((text) => ({ text }));
  drawRow(pen, head, "head");
  for (const row of rows) {
    const page = pen.page;
    ensureSpace(pen, LINE);
    if (pen.page !== page) drawRow(pen, head, "head");
    drawRow(pen, row, "row");
  }
  if (last) drawRow(pen, last, "last");
}

function drawRow(
  pen: PdfWriter,
  cells: readonly DocumentCell[],
  kind: "head" | "row" | "last",
): void {
  ensureSpace(pen, LINE);
  const font = kind === "last" ? pen.bold : pen.text;
  const first = WIDTH * FIRST_COLUMN;
  const each = (WIDTH - first) / Math.max(1, cells.length - 1);
  for (const [index, cell] of cells.entries()) {
    const printable = toPrintable(font, cell.text);
    const x =
      index === 0
        ? MARGIN
        : MARGIN + first + each * index - font.widthOfTextAtSize(printable, CELL);
    pen.page.drawText(printable, {
      x,
      y: pen.y,
      size: CELL,
      font,
      color: kind === "head" ? pen.muted : pen.ink,
    });
  }
  pen.page.drawLine({
    start: { x: MARGIN, y: pen.y - 4 },
    end: { x: A4.width - MARGIN, y: pen.y - 4 },
    thickness: 0.5,
    color: pen.line,
  });
  pen.y -= LINE;
}
