import {
  A4,
  createPdfWriter,
  drawTextLines,
  finishPdf,
  LINE,
  MARGIN,
} from "./pdf-writer.server.ts";
import type { PdfWriter } from "./pdf-writer.server.ts";

/** One ticket as its paper shows it. `qr` is an SVG path of `size` modules a side. */
export type PrintedTicket = {
  code: string;
  name: string;
  kindName: string | null;
  qr: { path: string; size: number };
};

export type PrintedEvent = {
  title: string;
  creatorName: string;
  when: string;
  place: string;
  url: string;
};

const QR_SIZE = 220;

/** Renders tickets as a PDF, one a page. */
export async function ticketPdf(
  event: PrintedEvent,
  tickets: readonly PrintedTicket[],
  { at, seed }: { at: number; seed: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const pen = await createPdfWriter({ title: `Ingresso: ${event.title}`, seed, at });
  const top = pen.y;
  for (const [index, ticket] of tickets.entries()) {
    if (index > 0) pen.page = pen.document.addPage([A4.width, A4.height]);
    pen.y = top;
    drawTicket(pen, event, ticket);
  }
  return await finishPdf(pen);
}

function drawTicket(pen: PdfWriter, event: PrintedEvent, ticket: PrintedTicket): void {
  const block = { x: MARGIN, width: A4.width - 2 * MARGIN, colour: pen.ink };
  const line = (text: string, isMuted = false): void =>
    drawTextLines(pen, text, {
      ...block,
      size: 11,
      font: pen.text,
      colour: isMuted ? pen.muted : pen.ink,
    });
  drawTextLines(pen, "Coreto", { ...block, size: 13, font: pen.bold });
  pen.y -= LINE;
  drawTextLines(pen, event.title, { ...block, size: 14, font: pen.bold });
  line(`de ${event.creatorName}`, true);
  pen.y -= LINE / 2;
  line(event.when);
  line(event.place === "" ? "On-line" : event.place);
  pen.y -= LINE;
  drawTextLines(pen, ticket.name, { ...block, size: 14, font: pen.bold });
  if (ticket.kindName !== null) line(ticket.kindName);
  pen.y -= LINE / 2;
  pen.page.drawSvgPath(ticket.qr.path, {
    x: MARGIN,
    y: pen.y,
    scale: QR_SIZE / ticket.qr.size,
    color: pen.ink,
  });
  pen.y -= QR_SIZE + 2 * LINE;
  drawTextLines(pen, ticket.code, { ...block, size: 14, font: pen.bold });
  line("Mostre o QR code na entrada, impresso ou na tela. Ele deixa entrar uma vez.", true);
  line(event.url, true);
}
