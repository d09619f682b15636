import type { Issuer } from "#app/domain/fiscal/schema/company.ts";
import type { Rps, RpsBatch } from "#app/domain/fiscal/schema.ts";
import type { Cents } from "#app/domain/money.ts";

const CRLF = "\r\n";

/**
 * A batch of RPS in the text layout of the São Paulo city hall, version 001: a header (1), a line
 * for each RPS (2) and a footer (9) with how many they are and their sum. Fields have fixed widths,
 * numbers zeros at their left, amounts no comma; the description comes last, as long as it is.
 * Source: "Envio de RPS em Lote, instruções e layout", versão V.001. Letters that ISO 8859-1 has
 * not lose their marks, or are written as their nearest.
 */
export function rpsText(batch: RpsBatch, issuer: Issuer): string {
  const total = batch.rps.reduce((sum, { amountCents }) => sum + amountCents, 0);
  // The period is that of the days of issue: all are of one day.
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
    // The taker retains no ISS.
    "2",
    taxKind === "cpf" ? "1" : "2",
    taxId.padStart(14, "0"),
    digits(0, 8),
    digits(0, 12),
    text(takerName, 75),
    // Type, street, number, complement, district, city, state: the law asks for none of them from
    // who is taken at a distance, and we keep none.
    text("", 3 + 50 + 10 + 30 + 30 + 50 + 2),
    digits(0, 8),
    text("", 75),
    latin(description).slice(0, 1_000),
  ].join("");
}

/** The same bytes that the city reads: one for each letter. */
export const latinBytes = (words: string): Uint8Array =>
  Uint8Array.from(words, (letter) => letter.charCodeAt(0));

const day = (iso: string): string => iso.replaceAll("-", "");

function digits(value: number | string | Cents, width: number): string {
  const written = String(value);
  if (!/^\d+$/.test(written) || written.length > width)
    throw new Error(`${written} is no number of ${width} digits`);
  return written.padStart(width, "0");
}

const text = (words: string, width: number): string =>
  latin(words).slice(0, width).padEnd(width, " ");

/** What names have that ISO 8859-1 has not, and that no mark can be taken from. */
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

/** What ISO 8859-1 can write, on one line. */
function latin(words: string): string {
  const has = (letter: string): boolean => (letter.codePointAt(0) ?? 256) < 256;
  const nearest = (letter: string): string =>
    NEAREST[letter] ?? Array.from(letter.normalize("NFKD")).filter(has).join("");
  const written = Array.from(words.normalize("NFC").replaceAll(/[\p{Cc}\s]+/gu, " "), (letter) =>
    has(letter) ? letter : nearest(letter),
  );
  return written.join("").trim();
}
