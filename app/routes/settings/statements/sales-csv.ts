import { chargeStatusLabel } from "#app/components/payments/charge-labels.ts";
import { TRANSACTION_KIND_LABELS } from "#app/components/payments/transaction-labels.ts";
import { salesToInvoice } from "#app/domain/billing/statements/queries/sales.server.ts";
import type { SaleRow } from "#app/domain/billing/statements/queries/sales.server.ts";
import { billingStatementTotals } from "#app/domain/billing/statements/queries/statement.server.ts";
import { salesCsvHead, salesCsvRow } from "#app/domain/billing/statements/rules/sales-csv.ts";
import { CSV_BOM } from "#app/domain/csv.ts";
import { withMaskedCpf } from "#app/domain/identity/tax-ids/rules.ts";
import { isoDay } from "#app/domain/time.ts";
import { unfilteredStatement } from "#app/domain/billing/schema.ts";
import { domainContext } from "#app/http/contexts.ts";
import {
  csvFile,
  fileErrorResponse,
  CSV_ROWS_MAX,
  CSV_PAGE_ROWS,
} from "#app/http/files/csv-file.ts";
import { parseStatementRequest } from "#app/http/money/statement.server.ts";
import type { Route } from "./+types/sales-csv.ts";

/** Streams every sale of a page, for the person who issues its invoices. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { actor, personId, filter } = parseStatementRequest({ context }, request);
  const { from, until } = filter;
  const { count } = await billingStatementTotals(ctx, {
    personId,
    face: "received",
    filter: { ...unfilteredStatement, from, until },
  });
  if (count > CSV_ROWS_MAX)
    return fileErrorResponse(
      413,
      "São mais de 100.000 vendas. Volte ao extrato e escolha um período menor.",
    );
  const pages = salesToInvoice(ctx, {
    creatorId: personId,
    from,
    until,
    pageRows: CSV_PAGE_ROWS,
    most: CSV_ROWS_MAX,
  });
  return csvFile(`coreto-vendas-${isoDay(ctx.now())}.csv`, csvPieces(pages, actor.isOwn));
}

/** A payer's CPF is whole for the seller, who issues the invoice, and masked for their team. */
async function* csvPieces(pages: AsyncIterable<SaleRow[]>, isOwn: boolean): AsyncGenerator<string> {
  yield CSV_BOM + salesCsvHead();
  for await (const sales of pages)
    yield sales
      .map((sale) =>
        salesCsvRow({
          ...sale,
          taker: sale.taker && !isOwn ? withMaskedCpf(sale.taker) : sale.taker,
          kindWord: TRANSACTION_KIND_LABELS[sale.kind],
          stateWord: chargeStatusLabel(sale.status).label,
        }),
      )
      .join("");
}
