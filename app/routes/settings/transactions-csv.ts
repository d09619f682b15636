import { methodWord, chargeWords } from "#app/components/payments/charge-words.ts";
import { KIND_WORDS } from "#app/components/payments/transaction-words.ts";
import { totalsOf, wholeStatement } from "#app/domain/billing/queries/statement.server.ts";
import type { TransactionRow } from "#app/domain/billing/queries/statement.server.ts";
import { CSV_MARK, csvHead, csvRow } from "#app/domain/billing/rules/csv.ts";
import { isoDay, dayOf } from "#app/domain/billing/rules/statement.ts";
import type { Face } from "#app/domain/billing/schema.ts";
import { domainContext } from "#app/http/contexts.ts";
import { askedStatement } from "#app/http/statement.server.ts";
import type { Route } from "./+types/transactions-csv.ts";

const ROWS_AT_ONCE = 500;
/** What a spreadsheet opens without suffering, and far below what one request may ask the database. */
const MOST_ROWS = 100_000;

/** The statement that the page shows, all of it, as a spreadsheet: sent page by page as it is read, never held whole. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { personId, face, filter } = askedStatement({ context }, request);
  const { count } = await totalsOf(ctx, { personId, face, filter });
  if (count > MOST_ROWS) {
    return new Response("São mais de 100.000 pagamentos. Volte ao extrato e escolha um período menor.", { status: 413, headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "private, no-store" } });
  }
  const pages = wholeStatement(ctx, { personId, face, filter, pageRows: ROWS_AT_ONCE, most: MOST_ROWS });
  return new Response(streamOf(csvPieces(face, pages)), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="coreto-extrato-${face === "paid" ? "pagamentos" : "recebimentos"}-${isoDay(dayOf(ctx.now()))}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}

async function* csvPieces(face: Face, pages: AsyncIterable<TransactionRow[]>): AsyncGenerator<string> {
  yield CSV_MARK + csvHead(face);
  for await (const rows of pages) {
    yield rows.map((row) => csvRow(face, { ...row, kindWord: KIND_WORDS[row.kind], methodWord: methodWord(row.method), stateWord: chargeWords(row.status).label })).join("");
  }
}

/** Asks for the next piece when the last one was taken: whoever stops reading stops the queries. */
function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
