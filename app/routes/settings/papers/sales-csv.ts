import { chargeWords } from "#app/components/payments/charge-words.ts";
import { KIND_WORDS } from "#app/components/payments/transaction-words.ts";
import { salesToInvoice } from "#app/domain/billing/queries/sales.server.ts";
import type { SaleRow } from "#app/domain/billing/queries/sales.server.ts";
import { totalsOf } from "#app/domain/billing/queries/statement.server.ts";
import { salesHead, salesLine } from "#app/domain/billing/rules/sales-csv.ts";
import { CSV_MARK } from "#app/domain/csv.ts";
import { isoDay } from "#app/domain/time.ts";
import { everything } from "#app/domain/billing/schema.ts";
import { domainContext } from "#app/http/contexts.ts";
import { csvFile, refusedFile, CSV_MOST_ROWS, CSV_ROWS_AT_ONCE } from "#app/http/csv-file.ts";
import { askedStatement } from "#app/http/statement.server.ts";
import type { Route } from "./+types/sales-csv.ts";

/** Every sale of a page, for who issues its invoices: sent as it is read, never held whole. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { personId, filter } = askedStatement({ context }, request);
  const { from, until } = filter;
  const { count } = await totalsOf(ctx, {
    personId,
    face: "received",
    filter: { ...everything, from, until },
  });
  if (count > CSV_MOST_ROWS)
    return refusedFile(
      413,
      "São mais de 100.000 vendas. Volte ao extrato e escolha um período menor.",
    );
  const pages = salesToInvoice(ctx, {
    creatorId: personId,
    from,
    until,
    pageRows: CSV_ROWS_AT_ONCE,
    most: CSV_MOST_ROWS,
  });
  return csvFile(`coreto-vendas-${isoDay(ctx.now())}.csv`, csvPieces(pages));
}

async function* csvPieces(pages: AsyncIterable<SaleRow[]>): AsyncGenerator<string> {
  yield CSV_MARK + salesHead();
  for await (const sales of pages)
    yield sales
      .map((sale) =>
        salesLine({
          ...sale,
          kindWord: KIND_WORDS[sale.kind],
          stateWord: chargeWords(sale.status).label,
        }),
      )
      .join("");
}
