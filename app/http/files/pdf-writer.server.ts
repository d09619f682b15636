import type { PDFDocument, PDFFont, PDFPage, RGB } from "@cantoo/pdf-lib";
import { bandeirinhas, FLAG_HEX, flagPath } from "#app/lib/bandeirinhas-pattern.ts";

export const A4 = { width: 595, height: 842 };
export const MARGIN = 56;
export const LINE = 15;
const EDGE = 46;

export type PdfWriter = {
  document: PDFDocument;
  page: PDFPage;
  y: number;
  text: PDFFont;
  bold: PDFFont;
  ink: RGB;
  muted: RGB;
  line: RGB;
};

/**
 * Creates an A4 PDF document with the standard Helvetica, which covers Portuguese, and the paper
 * flags of `seed` at its top.
 */
export async function createPdfWriter({
  title,
  seed,
  at,
}: {
  title: string;
  seed: string;
  at: number;
}): Promise<PdfWriter> {
  // Loaded only for a PDF, so that no other page waits for it.
  const { PDFDocument: Documents, rgb, StandardFonts } = await import("@cantoo/pdf-lib");
  const document = await Documents.create();
  document.setTitle(title);
  document.setLanguage("pt-BR");
  document.setProducer("Coreto");
  document.setCreator("Coreto");
  document.setCreationDate(new Date(at));
  document.setModificationDate(new Date(at));
  const [text, bold] = [
    await document.embedFont(StandardFonts.Helvetica),
    await document.embedFont(StandardFonts.HelveticaBold),
  ];
  const pen: PdfWriter = {
    document,
    page: document.addPage([A4.width, A4.height]),
    y: A4.height - EDGE - 50,
    text,
    bold,
    ink: rgb(0.08, 0.09, 0.06),
    muted: rgb(0.37, 0.39, 0.33),
    line: rgb(0.9, 0.89, 0.85),
  };
  drawEdge(pen, seed, (hex) => rgb(channel(hex, 1), channel(hex, 3), channel(hex, 5)));
  return pen;
}

export const finishPdf = async (pen: PdfWriter): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await pen.document.save());

const channel = (hex: string, at: number): number =>
  Number.parseInt(hex.slice(at, at + 2), 16) / 255;

/** Draws the document's paper flags, the same as on its page. */
function drawEdge({ page }: PdfWriter, seed: string, colourOf: (hex: string) => RGB): void {
  const { width, flags } = bandeirinhas({ seed, columns: 30, rows: 2 });
  const scale = A4.width / width;
  page.drawRectangle({
    x: 0,
    y: A4.height - EDGE,
    width: A4.width,
    height: EDGE,
    color: colourOf("#F6EBD3"),
  });
  for (const flag of flags)
    page.drawSvgPath(flagPath(flag), {
      x: 0,
      y: A4.height,
      scale,
      color: colourOf(FLAG_HEX[flag.colour]),
    });
}

export type TextBlock = { x: number; width: number; size: number; font: PDFFont; colour: RGB };

export function drawTextLines(
  pen: PdfWriter,
  text: string,
  { x, width, size, font, colour }: TextBlock,
): void {
  for (const line of wrapped(font, toPrintable(font, text), size, width)) {
    ensureSpace(pen, LINE);
    pen.page.drawText(line, { x, y: pen.y, size, font, color: colour });
    pen.y -= LINE;
  }
}

/** Starts a new page if the next line does not fit. */
export function ensureSpace(pen: PdfWriter, height: number): void {
  if (pen.y - height > MARGIN) return;
  pen.page = pen.document.addPage([A4.width, A4.height]);
  pen.y = A4.height - MARGIN;
}

/** Wraps text between words, and inside one that is longer than the line. */
function wrapped(font: PDFFont, text: string, size: number, width: number): string[] {
  const fits = (line: string): boolean => font.widthOfTextAtSize(line, size) <= width;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
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

/**
 * Reduces text to the font's letters: a missing letter loses its marks, and what is still missing
 * (an emoji) is omitted.
 */
export function toPrintable(font: Pick<PDFFont, "getCharacterSet">, text: string): string {
  const characters = new Set(font.getCharacterSet());
  const has = (letter: string): boolean => characters.has(letter.codePointAt(0) ?? 0);
  const written = Array.from(text.normalize("NFC").replaceAll(/\s/gu, " "), (letter) =>
    has(letter) ? letter : Array.from(letter.normalize("NFKD")).filter(has).join(""),
  );
  return written.join("").replaceAll(/ {2,}/g, " ").trim();
}
