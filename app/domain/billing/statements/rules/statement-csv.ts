import { csvLine, minuteCell, moneyCell, textCell } from "#app/domain/csv.ts";
import type { Instant } from "#app/domain/time.ts";
import type { StatementSide } from "#app/domain/billing/schema.ts";
import { remainingFeeAndNet } from "./statement.ts";
import type { CountedPayment } from "./statement.ts";

export type StatementCsvRow = CountedPayment & {
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

export function statementCsvHead(face: StatementSide): string {
  const who = face === "paid" ? "Para" : "De";
  const money =
    face === "paid"
      ? ["Valor", "Devolvido", "Contestado"]
      : ["Valor", "Devolvido", "Contestado", "Taxa", "Líquido"];
  return csvLine([...SHARED, who, "Usuário", "Forma", "Situação", ...money, "Código"]);
}

/** Formats one payment. Fee and net are what is left after refunds and disputes, as in the totals. */
export function statementCsvRow(face: StatementSide, row: StatementCsvRow): string {
  const { feeCents, netCents } = remainingFeeAndNet(row);
  const textCells = [
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
  return csvLine([minuteCell(row.at), ...textCells.map(textCell), ...money.map(moneyCell), row.id]);
}
