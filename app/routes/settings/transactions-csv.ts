import { methodWord, chargeWords } from "#app/components/payments/charge-words.ts";
import { KIND_WORDS } from "#app/components/payments/transaction-words.ts";
import { totalsOf, wholeStatement } from "#app/domain/billing/queries/statement.server.ts";
import type { TransactionRow } from "#app/domain/billing/queries/statement.server.ts";
import { csvHead, csvRow } from "#app/domain/billing/rules/statement-csv.ts";
import { CSV_MARK } from "#app/domain/csv.ts";
import { isoDay } from "#app/domain/time.ts";
import type { Face } from "#app/domain/billing/schema.ts";
import { csvFile, refusedFile, CSV_MOST_ROWS, CSV_ROWS_AT_ONCE } from "#app/http/csv-file.ts";
import { domainContext } from "#app/http/contexts.ts";
import { askedStatement } from "#app/http/statement.server.ts";
import type { Route } from "./+types/transactions-csv.ts";

/**
 * The statement that the page shows, all of it, as a spreadsheet: sent page by page as it is read,
 * never held whole.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { personId, face, filter, errors } = askedStatement({ context }, request);
  const [problem] = Object.values(errors);
  if (problem !== undefined) return refusedFile(400, problem);
  const { count } = await totalsOf(ctx, { personId, face, filter });
  if (count > CSV_MOST_ROWS)
    return refusedFile(
      413,
      "São mais de 100.000 pagamentos. Volte ao extrato e escolha um período menor.",
    );
  const pages = wholeStatement(ctx, {
    personId,
    face,
    filter,
    pageRows: CSV_ROWS_AT_ONCE,
    most: CSV_MOST_ROWS,
  });
  return csvFile(
    `coreto-extrato-${face === "paid" ? "pagamentos" : "recebimentos"}-${isoDay(ctx.now())}.csv`,
    csvPieces(face, pages),
  );
}

async function* csvPieces(
  face: Face,
  pages: AsyncIterable<TransactionRow[]>,
): AsyncGenerator<string> {
  yield CSV_MARK + csvHead(face);
  for await (const rows of pages) {
    yield rows
      .map((row) =>
        csvRow(face, {
          ...row,
          kindWord: KIND_WORDS[row.kind],
          methodWord: methodWord(row.method, row.recurringPixId),
          stateWord: chargeWords(row.status).label,
        }),
      )
      .join("");
  }
}
