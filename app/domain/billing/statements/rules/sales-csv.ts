import type { SaleRow } from "#app/domain/billing/statements/queries/sales.server.ts";
import { csvLine, minuteCell, moneyCell, textCell } from "#app/domain/csv.ts";
import { formatTaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { remainingFeeAndNet } from "./statement.ts";

export const salesCsvHead = (): string =>
  csvLine([
    "Data",
    "Quem pagou",
    "Nome para a nota",
    "CPF ou CNPJ",
    "O que foi vendido",
    "Tipo",
    "Situação",
    "Valor",
    "Devolvido",
    "Contestado",
    "Taxa",
    "Líquido",
    "Código",
  ]);

/**
 * Formats one sale. Name and tax id are there only for payers who asked for invoices. Fee and net
 * are what is left, as in the statement.
 */
export function salesCsvRow(sale: SaleRow & { kindWord: string; stateWord: string }): string {
  const { feeCents, netCents } = remainingFeeAndNet(sale);
  const taker = [textCell(sale.taker?.name ?? ""), sale.taker ? formatTaxId(sale.taker) : ""];
  const textCells = [sale.description, sale.kindWord, sale.stateWord].map(textCell);
  return csvLine([
    minuteCell(sale.at),
    textCell(sale.payerName),
    ...taker,
    ...textCells,
    ...[sale.amountCents, sale.refundedCents, sale.disputedCents, feeCents, netCents].map(
      moneyCell,
    ),
    sale.id,
  ]);
}
