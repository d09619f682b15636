import type { PDFDocument, PDFFont, PDFPage, RGB } from "@cantoo/pdf-lib";
import type { Receipt } from "#app/components/payments/receipt-words.ts";
import { bandeirinhas, FLAG_HEX, flagPath } from "#app/components/ui/bandeirinhas-pattern.ts";

const A4 = { width: 595, height: 842 };
const MARGIN = 56;
const LABEL_WIDTH = 185;
const LINE = 15;
const EDGE = 46;

type Pen = { document: PDFDocument; page: PDFPage; y: number; text: PDFFont; bold: PDFFont; ink: RGB; muted: RGB; line: RGB };

/** The receipt as a PDF of A4 pages with the standard Helvetica, whose letters every Portuguese word has; others become their nearest. */
export async function receiptPdf(receipt: Receipt, at: number): Promise<Uint8Array<ArrayBuffer>> {
  // Loaded for who asks for a PDF: no other page of the worker waits for it.
  const { PDFDocument: Documents, rgb, StandardFonts } = await import("@cantoo/pdf-lib");
  const document = await Documents.create();
  document.setTitle(`Recibo ${receipt.number}`);
  document.setLanguage("pt-BR");
  document.setProducer("Coreto");
  document.setCreator("Coreto");
  document.setCreationDate(new Date(at));
  document.setModificationDate(new Date(at));
  const [text, bold] = [await document.embedFont(StandardFonts.Helvetica), await document.embedFont(StandardFonts.HelveticaBold)];
  const pen: Pen = { document, page: document.addPage([A4.width, A4.height]), y: A4.height - EDGE - 50, text, bold, ink: rgb(0.08, 0.09, 0.06), muted: rgb(0.37, 0.39, 0.33), line: rgb(0.9, 0.89, 0.85) };
  drawEdge(pen, receipt.number, (hex) => rgb(channel(hex, 1), channel(hex, 3), channel(hex, 5)));
  drawHead(pen, receipt);
  for (const section of receipt.sections) drawSection(pen, section);
  pen.y -= 8;
  drawLines(pen, receipt.foot, { x: MARGIN, width: A4.width - 2 * MARGIN, size: 9, font: pen.text, colour: pen.muted });
  return new Uint8Array(await document.save());
}

const channel = (hex: string, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255;

/** The paper flags of a receipt's edge, the same as on the page. */
function drawEdge({ page }: Pen, seed: string, colourOf: (hex: string) => RGB): void {
  const { width, flags } = bandeirinhas({ seed, columns: 30, rows: 2 });
  const scale = A4.width / width;
  page.drawRectangle({ x: 0, y: A4.height - EDGE, width: A4.width, height: EDGE, color: colourOf("#F6EBD3") });
  for (const flag of flags) page.drawSvgPath(flagPath(flag), { x: 0, y: A4.height, scale, color: colourOf(FLAG_HEX[flag.colour]) });
}

function drawHead(pen: Pen, receipt: Receipt): void {
  pen.page.drawText("Coreto", { x: MARGIN, y: pen.y, size: 13, font: pen.bold, color: pen.ink });
  pen.y -= 34;
  pen.page.drawText(receipt.title, { x: MARGIN, y: pen.y, size: 26, font: pen.bold, color: pen.ink });
  const title = pen.bold.widthOfTextAtSize(receipt.title, 26);
  pen.page.drawText(`(${receipt.notice.toLowerCase()})`, { x: MARGIN + title + 10, y: pen.y, size: 12, font: pen.text, color: pen.muted });
  const total = printable(pen.bold, receipt.total);
  pen.page.drawText(total, { x: A4.width - MARGIN - pen.bold.widthOfTextAtSize(total, 22), y: pen.y, size: 22, font: pen.bold, color: pen.ink });
  pen.y -= 20;
  pen.page.drawText(printable(pen.text, `Número ${receipt.number} · emitido em ${receipt.issuedAt}`), { x: MARGIN, y: pen.y, size: 9, font: pen.text, color: pen.muted });
  pen.y -= 26;
}

function drawSection(pen: Pen, { title, facts }: Receipt["sections"][number]): void {
  room(pen, 3 * LINE);
  pen.page.drawLine({ start: { x: MARGIN, y: pen.y + 12 }, end: { x: A4.width - MARGIN, y: pen.y + 12 }, thickness: 0.7, color: pen.line });
  pen.y -= 6;
  pen.page.drawText(title, { x: MARGIN, y: pen.y, size: 11, font: pen.bold, color: pen.ink });
  pen.y -= LINE + 3;
  for (const { label, value } of facts) {
    room(pen, LINE);
    const top = pen.y;
    const page = pen.page;
    drawLines(pen, label, { x: MARGIN, width: LABEL_WIDTH - 10, size: 10, font: pen.text, colour: pen.muted });
    const below = pen.page === page ? pen.y : top;
    pen.y = pen.page === page ? top : pen.y;
    drawLines(pen, value, { x: MARGIN + LABEL_WIDTH, width: A4.width - 2 * MARGIN - LABEL_WIDTH, size: 10, font: pen.text, colour: pen.ink });
    pen.y = Math.min(pen.y, below);
  }
  pen.y -= 14;
}

type Block = { x: number; width: number; size: number; font: PDFFont; colour: RGB };

function drawLines(pen: Pen, words: string, { x, width, size, font, colour }: Block): void {
  for (const line of wrapped(font, printable(font, words), size, width)) {
    room(pen, LINE);
    pen.page.drawText(line, { x, y: pen.y, size, font, color: colour });
    pen.y -= LINE;
  }
}

/** A new page where the next line does not fit. */
function room(pen: Pen, height: number): void {
  if (pen.y - height > MARGIN) return;
  pen.page = pen.document.addPage([A4.width, A4.height]);
  pen.y = A4.height - MARGIN;
}

/** Broken between words, and inside one that is longer than the line. */
function wrapped(font: PDFFont, words: string, size: number, width: number): string[] {
  const fits = (line: string): boolean => font.widthOfTextAtSize(line, size) <= width;
  const lines: string[] = [];
  let line = "";
  for (const word of words.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (fits(joined)) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = "";
    for (const letter of word) {
      if (line !== "" && !fits(line + letter)) {
        lines.push(line);
        line = "";
      }
      line += letter;
    }
  }
  return [...lines, line];
}

/** What the font can write: a letter that it lacks loses its marks, and what is still not there (an emoji) is left out. */
export function printable(font: Pick<PDFFont, "getCharacterSet">, words: string): string {
  const known = new Set(font.getCharacterSet());
  const has = (letter: string): boolean => known.has(letter.codePointAt(0) ?? 0);
  const written = Array.from(words.normalize("NFC").replaceAll(/\s/gu, " "), (letter) => (has(letter) ? letter : Array.from(letter.normalize("NFKD")).filter(has).join("")));
  return written.join("").replaceAll(/ {2,}/g, " ").trim();
}
