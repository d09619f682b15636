import type { Cents } from "#app/domain/money.ts";
import { formatMinute } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { Face } from "#app/domain/billing/schema.ts";
import { leftOf } from "./statement.ts";
import type { Counted } from "./statement.ts";

/**
 * A table as Brazilian spreadsheets open it with a double click: UTF-8 with its mark, `;` between cells because the comma is in the
 * numbers, otherwise RFC 4180 (CRLF, quotes doubled).
 */
export const CSV_MARK = "\u{feff}";

/** What a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r\n]|^[\s\u{a0}]+[=+\-@]/u;

/** Words of people: an apostrophe keeps a spreadsheet from running them (OWASP, "CSV Injection"). */
export function textCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** `1234,56`: a number, which no thousands point breaks. */
export function moneyCell(cents: Cents): string {
  const whole = Math.trunc(Math.abs(cents) / 100);
  return `${cents < 0 ? "-" : ""}${whole},${String(Math.abs(cents) % 100).padStart(2, "0")}`;
}

export const csvLine = (cells: readonly string[]): string => `${cells.join(";")}\r\n`;

export type CsvRow = Counted & { id: string; at: Instant; kindWord: string; description: string; counterpartName: string; counterpartUsername: string; methodWord: string; stateWord: string };

const SHARED = ["Data", "Tipo", "Descrição"];

export function csvHead(face: Face): string {
  const who = face === "paid" ? "Para" : "De";
  const money = face === "paid" ? ["Valor", "Devolvido", "Contestado"] : ["Valor", "Devolvido", "Contestado", "Taxa", "Líquido"];
  return csvLine([...SHARED, who, "Usuário", "Forma", "Situação", ...money, "Código"]);
}

/** One payment. Fee and net are what is left of them, as the totals count. */
export function csvRow(face: Face, row: CsvRow): string {
  const { feeCents, netCents } = leftOf(row);
  const words = [formatMinute(row.at).replace(",", ""), row.kindWord, row.description, row.counterpartName, row.counterpartUsername, row.methodWord, row.stateWord];
  const money = [row.amountCents, row.refundedCents, row.disputedCents, ...(face === "paid" ? [] : [feeCents, netCents])];
  return csvLine([...words.map(textCell), ...money.map(moneyCell), row.id]);
}
