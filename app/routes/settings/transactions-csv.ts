import { methodWord, chargeWords } from "#app/components/payments/charge-words.ts";
import { KIND_WORDS } from "#app/components/payments/transaction-words.ts";
import { totalsOf, wholeStatement } from "#app/domain/billing/queries/statement.server.ts";
import type { TransactionRow } from "#app/domain/billing/queries/statement.server.ts";
import { CSV_MARK, csvHead, csvRow } from "#app/domain/billing/rules/csv.ts";
import { isoDay, dayOf } from "#app/domain/billing/rules/statement.ts";
import type { Face } from "#app/domain/billing/schema.ts";
import { csvFile, csvTooLong, CSV_MOST_ROWS, CSV_ROWS_AT_ONCE } from "#app/http/csv-file.ts";
import { domainContext } from "#app/http/contexts.ts";
import { askedStatement } from "#app/http/statement.server.ts";
import type { Route } from "./+types/transactions-csv.ts";

/** The statement that the page shows, all of it, as a spreadsheet: sent page by page as it is read, never held whole. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { personId, face, filter } = askedStatement({ context }, request);
  const { count } = await totalsOf(ctx, { personId, face, filter });
  if (count > CSV_MOST_ROWS) return csvTooLong("São mais de 100.000 pagamentos. Volte ao extrato e escolha um período menor.");
  const pages = wholeStatement(ctx, { personId, face, filter, pageRows: CSV_ROWS_AT_ONCE, most: CSV_MOST_ROWS });
  return csvFile(`coreto-extrato-${face === "paid" ? "pagamentos" : "recebimentos"}-${isoDay(dayOf(ctx.now()))}.csv`, csvPieces(face, pages));
}

async function* csvPieces(face: Face, pages: AsyncIterable<TransactionRow[]>): AsyncGenerator<string> {
  yield CSV_MARK + csvHead(face);
  for await (const rows of pages) {
    yield rows.map((row) => csvRow(face, { ...row, kindWord: KIND_WORDS[row.kind], methodWord: methodWord(row.method, row.recurringPixId), stateWord: chargeWords(row.status).label })).join("");
  }
}
