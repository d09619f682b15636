import type { Issuer } from "#app/domain/fiscal/schema/company.ts";
import type { Rps, RpsBatch } from "#app/domain/fiscal/schema.ts";
import type { Cents } from "#app/domain/money.ts";

const CRLF = "\r\n";

/**
 * Writes a batch of RPS in the text layout of the São Paulo city hall, version 001. A header (1), a
 * line for each RPS (2), and a footer (9) with their number and sum. Fields have fixed widths,
 * numbers are zero-padded, amounts have no comma. The description comes last, with any length.
 * Source: "Envio de RPS em Lote, instruções e layout", versão V.001. Letters outside ISO 8859-1
 * lose their marks, or are replaced by the nearest.
 */
export function rpsText(batch: RpsBatch, issuer: Issuer): string {
  const total = batch.rps.reduce((sum, { amountCents }) => sum + amountCents, 0);
  // The period is that of the issue dates, and all have the same one.
  const head = `1001${digits(issuer.municipalId, 8)}${day(batch.issuedOn)}${day(batch.issuedOn)}`;
  const lines = batch.rps.map((rps) => rpsLine(rps, batch, issuer));
  const foot = `9${digits(batch.rps.length, 7)}${digits(total, 15)}${digits(0, 15)}`;
  return [head, ...lines, foot].map((line) => line + CRLF).join("");
}

function rpsLine(
  { number, amountCents, takerName, taxKind, taxId }: Rps,
  { series, issuedOn, description }: RpsBatch,
  { serviceCode, issBasisPoints }: Issuer,
): string {
  return [
    "2",
    text("RPS", 5),
    text(series, 5),
    digits(number, 12),
    day(issuedOn),
    // Taxed in the city.
    "T",
    digits(amountCents, 15),
    digits(0, 15),
    digits(serviceCode, 5),
    digits(issBasisPoints, 4),
    // The recipient withholds no ISS.
    "2",
    taxKind === "cpf" ? "1" : "2",
    taxId.padStart(14, "0"),
    digits(0, 8),
    digits(0, 12),
    text(takerName, 75),
    // Type, street, number, complement, district, city, state. The law requires none of them for
    // remote recipients, and we store none.
    text("", 3 + 50 + 10 + 30 + 30 + 50 + 2),
    digits(0, 8),
    text("", 75),
    latin(description).slice(0, 1_000),
  ].join("");
}

/** The encoded bytes for the city: one per letter. */
export const latinBytes = (content: string): Uint8Array =>
  Uint8Array.from(content, (letter) => letter.charCodeAt(0));

const day = (iso: string): string => iso.replaceAll("-", "");

function digits(value: number | string | Cents, width: number): string {
  const written = String(value);
  if (!/^\d+$/.test(written) || written.length > width)
    throw new Error(`${written} is no number of ${width} digits`);
  return written.padStart(width, "0");
}

const text = (content: string, width: number): string =>
  latin(content).slice(0, width).padEnd(width, " ");

/** Letters of names that are outside ISO 8859-1 and have no removable mark. */
const NEAREST: Record<string, string> = {
  Ł: "L",
  ł: "l",
  Đ: "D",
  đ: "d",
  ı: "i",
  Œ: "OE",
  œ: "oe",
  "‘": "'",
  "’": "'",
  ʼ: "'",
  "“": '"',
  "”": '"',
  "‐": "-",
  "‑": "-",
  "–": "-",
  "—": "-",
  "−": "-",
};

/** Reduces text to ISO 8859-1, on one line. */
function latin(content: string): string {
  const has = (letter: string): boolean => (letter.codePointAt(0) ?? 256) < 256;
  const nearest = (letter: string): string =>
    NEAREST[letter] ?? Array.from(letter.normalize("NFKD")).filter(has).join("");
  const written = Array.from(content.normalize("NFC").replaceAll(/[\p{Cc}\s]+/gu, " "), (letter) =>
    has(letter) ? letter : nearest(letter),
  );
  return written.join("").trim();
}
