import { methodLabel, chargeStatusLabel } from "#app/components/payments/charge-labels.ts";
import { TRANSACTION_KIND_LABELS } from "#app/components/payments/transaction-labels.ts";
import {
  billingStatementTotals,
  streamBillingStatement,
} from "#app/domain/billing/statements/queries/statement.server.ts";
import type { TransactionRow } from "#app/domain/billing/statements/queries/statement.server.ts";
import {
  statementCsvHead,
  statementCsvRow,
} from "#app/domain/billing/statements/rules/statement-csv.ts";
import { CSV_BOM } from "#app/domain/csv.ts";
import { isoDay } from "#app/domain/time.ts";
import type { StatementSide } from "#app/domain/billing/schema.ts";
import {
  csvFile,
  fileErrorResponse,
  CSV_ROWS_MAX,
  CSV_PAGE_ROWS,
} from "#app/http/files/csv-file.ts";
import { domainContext } from "#app/http/contexts.ts";
import { parseStatementRequest } from "#app/http/money/statement.server.ts";
import type { Route } from "./+types/transactions-csv.ts";

/** Streams the whole statement of the page as a spreadsheet, page by page. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { personId, face, filter, errors } = parseStatementRequest({ context }, request);
  const [problem] = Object.values(errors);
  if (problem !== undefined) return fileErrorResponse(400, problem);
  const { count } = await billingStatementTotals(ctx, { personId, face, filter });
  if (count > CSV_ROWS_MAX)
    return fileErrorResponse(
      413,
      "São mais de 100.000 pagamentos. Volte ao extrato e escolha um período menor.",
    );
  const pages = streamBillingStatement(ctx, {
    personId,
    face,
    filter,
    pageRows: CSV_PAGE_ROWS,
    most: CSV_ROWS_MAX,
  });
  return csvFile(
    `coreto-extrato-${face === "paid" ? "pagamentos" : "recebimentos"}-${isoDay(ctx.now())}.csv`,
    csvPieces(face, pages),
  );
}

async function* csvPieces(
  face: StatementSide,
  pages: AsyncIterable<TransactionRow[]>,
): AsyncGenerator<string> {
  yield CSV_BOM + statementCsvHead(face);
  for await (const rows of pages) {
    yield rows
      .map((row) =>
        statementCsvRow(face, {
          ...row,
          kindWord: TRANSACTION_KIND_LABELS[row.kind],
          methodWord: methodLabel(row.method, row.recurringPixId),
          stateWord: chargeStatusLabel(row.status).label,
        }),
      )
      .join("");
  }
}
