import { happeningWord } from "#app/components/payments/ledger-words.ts";
import { CSV_MARK, csvLine, moneyCell, textCell } from "#app/domain/billing/rules/csv.ts";
import { dayOf, isoDay, parseDay, startOfDay } from "#app/domain/billing/rules/statement.ts";
import type { Context } from "#app/domain/context.ts";
import { statementExtent, wholeLedgerStatement } from "#app/domain/ledger/queries/statement.server.ts";
import type { Statement, StatementOf, StatementRow } from "#app/domain/ledger/queries/statement.server.ts";
import { accountId } from "#app/domain/ledger/rules.ts";
import { ofxEntry, ofxHead, ofxTail } from "#app/domain/ledger/rules/ofx.ts";
import type { OfxStatement } from "#app/domain/ledger/rules/ofx.ts";
import { formatMinute } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { csvFile, csvTooLong, CSV_MOST_ROWS, CSV_ROWS_AT_ONCE, streamedFile } from "#app/http/csv-file.ts";
import { sha256Hex } from "#app/http/digest.ts";

/** The period of a statement as instants, and as its fields were typed with what is wrong with them. */
export type AskedPeriod = { from: Instant | null; until: Instant | null; values: { from: string; until: string }; errors: Record<string, string> };

/** Both days of the address count. A day that is none, or an end before its beginning, is said beside its field and left out. */
export function askedPeriod(search: URLSearchParams): AskedPeriod {
  const values = { from: search.get("from")?.trim() ?? "", until: search.get("until")?.trim() ?? "" };
  const [from, until] = [parseDay(values.from), parseDay(values.until)];
  const errors: Record<string, string> = {};
  if (values.from && from === null) errors.from = "Escreva o dia assim: 20/12/2026.";
  if (values.until && until === null) errors.until = "Escreva o dia assim: 20/12/2026.";
  if (from !== null && until !== null && until < from) errors.until = "O fim vem antes do começo. Troque um dos dias.";
  return { from: errors.from || from === null ? null : startOfDay(from), until: errors.until || until === null ? null : startOfDay(until + 1), values, errors };
}

/** What one entry is of, in a line. */
export const entryWords = ({ kind, description }: Pick<StatementRow, "kind" | "description">): string => (description === null ? happeningWord(kind) : `${happeningWord(kind)}: ${description}`);

type Export = { name: string; title: string; of: StatementOf; from: Instant | null; until: Instant | null };

/** All the entries that a statement shows, as a spreadsheet or as OFX; sent page by page as they are read. Null for another format. */
export async function ledgerFile(ctx: Context, format: string | undefined, asked: Export): Promise<Response | null> {
  if (format !== "planilha.csv" && format !== "extrato.ofx") return null;
  const { count, firstAt } = await statementExtent(ctx, asked);
  if (count > CSV_MOST_ROWS) return csvTooLong("São mais de 100.000 lançamentos. Volte e escolha um período menor.");
  const pages = wholeLedgerStatement(ctx, { ...asked, pageRows: CSV_ROWS_AT_ONCE, most: CSV_MOST_ROWS });
  const filename = `coreto-${asked.name}-${isoDay(dayOf(ctx.now()))}`;
  return format === "planilha.csv" ? csvFile(`${filename}.csv`, csvPieces(pages)) : streamedFile(`${filename}.ofx`, "application/x-ofx; charset=utf-8", ofxPieces(await ofxStatement(ctx, asked, firstAt), pages));
}

async function* csvPieces(pages: AsyncIterable<Statement>): AsyncGenerator<string> {
  yield CSV_MARK + csvLine(["Data", "Lançamento", "Valor", "Saldo", "Código"]);
  for await (const { items } of pages) {
    yield items.map((row) => csvLine([formatMinute(row.at).replace(",", ""), textCell(entryWords(row)), moneyCell(row.amountCents), moneyCell(row.balanceCents), row.id])).join("");
  }
}

/** Everything begins with the first entry. The number of an account is made of what it is, not of its name, which its owner may change. */
async function ofxStatement(ctx: Context, { title, of, from, until }: Export, firstAt: Instant | null): Promise<OfxStatement> {
  const madeAt = ctx.now();
  const last = until ?? madeAt;
  const digest = await sha256Hex("account" in of ? accountId(of.account) : `payout_in_transit:to:${of.inTransitTo}`);
  return { accountNumber: digest.slice(0, ACCOUNT_NUMBER_DIGITS), accountName: title, from: from ?? firstAt ?? last, until: last, madeAt };
}

const ACCOUNT_NUMBER_DIGITS = 20;

async function* ofxPieces(head: OfxStatement, pages: AsyncIterable<Statement>): AsyncGenerator<string> {
  let closingCents: number | null = null;
  yield ofxHead(head);
  for await (const page of pages) {
    closingCents ??= page.closingCents;
    yield page.items.map((row) => ofxEntry({ ...row, memo: entryWords(row) })).join("");
  }
  yield ofxTail(head, closingCents ?? 0);
}
