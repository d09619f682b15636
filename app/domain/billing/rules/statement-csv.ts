import { csvLine, minuteCell, moneyCell, textCell } from "#app/domain/csv.ts";
import type { Instant } from "#app/domain/time.ts";
import type { Face } from "#app/domain/billing/schema.ts";
import { leftOf } from "./statement.ts";
import type { Counted } from "./statement.ts";

export type CsvRow = Counted & {
  id: string;
  at: Instant;
  kindWord: string;
  description: string;
  counterpartName: string;
  counterpartUsername: string;
  methodWord: string;
  stateWord: string;
};

const SHARED = ["Data", "Tipo", "Descrição"];

export function csvHead(face: Face): string {
  const who = face === "paid" ? "Para" : "De";
  const money =
    face === "paid"
      ? ["Valor", "Devolvido", "Contestado"]
      : ["Valor", "Devolvido", "Contestado", "Taxa", "Líquido"];
  return csvLine([...SHARED, who, "Usuário", "Forma", "Situação", ...money, "Código"]);
}

/** One payment. Fee and net are what is left of them, as the totals count. */
export function csvRow(face: Face, row: CsvRow): string {
  const { feeCents, netCents } = leftOf(row);
  const words = [
    row.kindWord,
    row.description,
    row.counterpartName,
    row.counterpartUsername,
    row.methodWord,
    row.stateWord,
  ];
  const money = [
    row.amountCents,
    row.refundedCents,
    row.disputedCents,
    ...(face === "paid" ? [] : [feeCents, netCents]),
  ];
  return csvLine([minuteCell(row.at), ...words.map(textCell), ...money.map(moneyCell), row.id]);
}
