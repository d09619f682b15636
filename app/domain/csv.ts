import { typedReais } from "./money.ts";
import type { Cents } from "./money.ts";
import { formatMinute } from "./time.ts";
import type { Instant } from "./time.ts";

/**
 * A table as Brazilian spreadsheets open it with a double click: UTF-8 with its mark, `;` between
 * cells because the comma is in the numbers, otherwise RFC 4180 (CRLF, quotes doubled).
 */
export const CSV_BOM = "\u{feff}";

/** What a spreadsheet would run as a formula, in the wide letters of Asia too. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]|^[\s\u{a0}]+[=+\-@＝＋－＠]/u;

/** What a Brazilian spreadsheet would make a number or a day of: `007` and `1.5`, `1e10`, `mai-26`. */
const NUMBER =
  /^[\s\d.,:/%-]*\d[\s\d.,:/%-]*$|^\d+([.,]\d+)?e\d+$|^(\d{1,2}[-/. ])?(jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)[-/. ]\d{1,4}$/i;

/**
 * Words of people: an apostrophe keeps a spreadsheet from running them (OWASP, "CSV Injection"),
 * and from making another thing of them.
 */
export function textCell(text: string): string {
  const harmless = FORMULA.test(text) || NUMBER.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** `1234,56`: a number, which no thousands point breaks. */
export const moneyCell = (cents: Cents): string => typedReais(cents);

/** `15/10/2026 12:00`, a moment of São Paulo. */
export const minuteCell = (at: Instant): string => formatMinute(at).replace(",", "");

export const csvLine = (cells: readonly string[]): string => `${cells.join(";")}\r\n`;
