import { chargeWords } from "#app/components/payments/charge-words.ts";
import { KIND_WORDS } from "#app/components/payments/transaction-words.ts";
import { salesToInvoice } from "#app/domain/billing/queries/sales.server.ts";
import type { SaleRow } from "#app/domain/billing/queries/sales.server.ts";
import { totalsOf } from "#app/domain/billing/queries/statement.server.ts";
import { CSV_MARK } from "#app/domain/billing/rules/csv.ts";
import { salesHead, salesLine } from "#app/domain/billing/rules/sales-csv.ts";
import { dayOf, isoDay } from "#app/domain/billing/rules/statement.ts";
import { domainContext } from "#app/http/contexts.ts";
import { csvFile, csvTooLong, CSV_MOST_ROWS, CSV_ROWS_AT_ONCE } from "#app/http/csv-file.ts";
import { askedStatement } from "#app/http/statement.server.ts";
import type { Route } from "./+types/sales-csv.ts";

/** Every sale of a page, for who issues its invoices: sent as it is read, never held whole. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { personId, filter } = askedStatement({ context }, request);
  const { from, until } = filter;
  const { count } = await totalsOf(ctx, { personId, face: "received", filter: { from, until, state: null, method: null, kind: null, person: null } });
  if (count > CSV_MOST_ROWS) return csvTooLong("São mais de 100.000 vendas. Volte ao extrato e escolha um período menor.");
  const pages = salesToInvoice(ctx, { creatorId: personId, from, until, pageRows: CSV_ROWS_AT_ONCE, most: CSV_MOST_ROWS });
  return csvFile(`coreto-vendas-${isoDay(dayOf(ctx.now()))}.csv`, csvPieces(pages));
}

async function* csvPieces(pages: AsyncIterable<SaleRow[]>): AsyncGenerator<string> {
  yield CSV_MARK + salesHead();
  for await (const sales of pages) yield sales.map((sale) => salesLine({ ...sale, kindWord: KIND_WORDS[sale.kind], stateWord: chargeWords(sale.status).label })).join("");
}
