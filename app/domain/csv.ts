import { typedReais } from "./money.ts";
import type { Cents } from "./money.ts";
import { formatMinute } from "./time.ts";
import type { Instant } from "./time.ts";

/**
 * A table that Brazilian spreadsheets open with a double click: UTF-8 with a BOM, and `;` between
 * cells because numbers contain commas. Otherwise RFC 4180 (CRLF, quotes doubled).
 */
export const CSV_BOM = "\u{feff}";

/** Text that a spreadsheet would run as a formula, in full-width characters too. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]|^[\s\u{a0}]+[=+\-@＝＋－＠]/u;

/**
 * Text that a Brazilian spreadsheet would turn into a number or a date: `007` and `1.5`, `1e10`,
 * `mai-26`.
 */
const NUMBER =
  /^[\s\d.,:/%-]*\d[\s\d.,:/%-]*$|^\d+([.,]\d+)?e\d+$|^(\d{1,2}[-/. ])?(jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)[-/. ]\d{1,4}$/i;

/**
 * Formats text that people typed. An apostrophe keeps a spreadsheet from running it (OWASP, "CSV
 * Injection"), and from converting it.
 */
export function textCell(text: string): string {
  const harmless = FORMULA.test(text) || NUMBER.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Formats `1234,56`: a number, without thousands separators. */
export const moneyCell = (cents: Cents): string => typedReais(cents);

/** Formats `15/10/2026 12:00`, in São Paulo time. */
export const minuteCell = (at: Instant): string => formatMinute(at).replace(",", "");

export const csvLine = (cells: readonly string[]): string => `${cells.join(";")}\r\n`;
