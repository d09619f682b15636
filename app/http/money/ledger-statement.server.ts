import { transactionKindLabel } from "#app/domain/ledger/rules/ledger-words.ts";
import { parseDayRange } from "#app/domain/billing/statements/rules/statement.ts";
import type { Context } from "#app/domain/context.ts";
import { CSV_BOM, csvLine, minuteCell, moneyCell, textCell } from "#app/domain/csv.ts";
import { filteredEntriesStatement } from "#app/domain/ledger/statements/queries/filtered-entries.server.ts";
import type {
  FilteredEntryRow,
  EntryFilter,
} from "#app/domain/ledger/statements/queries/filtered-entries.server.ts";
import {
  ledgerStatement,
  statementExtent,
  streamLedgerStatement,
} from "#app/domain/ledger/statements/queries/statement.server.ts";
import type {
  AccountStatement,
  StatementSubject,
  StatementRow,
} from "#app/domain/ledger/statements/queries/statement.server.ts";
import { accountId } from "#app/domain/ledger/rules.ts";
import { ofxEntry, ofxHead, ofxTail } from "#app/domain/ledger/statements/rules/ofx.ts";
import type { OfxStatement } from "#app/domain/ledger/statements/rules/ofx.ts";
import type { Cents } from "#app/domain/money.ts";
import { isoDay, SECOND_MS, startOfDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import {
  csvFile,
  fileErrorResponse,
  CSV_ROWS_MAX,
  CSV_PAGE_ROWS,
  streamedFile,
} from "#app/http/files/csv-file.ts";
import { sha256Hex } from "#app/lib/digest.ts";

/** The period of a statement as instants, and its typed fields with their errors. */
export type StatementPeriod = {
  from: Instant | null;
  until: Instant | null;
  values: { from: string; until: string };
  errors: Record<string, string>;
};

/** Parses the period of an address. */
export function parseStatementPeriod(search: URLSearchParams): StatementPeriod {
  const values = {
    from: search.get("from")?.trim() ?? "",
    until: search.get("until")?.trim() ?? "",
  };
  const { from, until, errors } = parseDayRange(values);
  return {
    from: from === null ? null : startOfDay(from),
    until: until === null ? null : startOfDay(until + 1),
    values,
    errors,
  };
}

/** A one-line description of an entry. */
const entryText = ({ kind, description }: Pick<StatementRow, "kind" | "description">): string =>
  description === null
    ? transactionKindLabel(kind)
    : `${transactionKindLabel(kind)}: ${description}`;

/** An entry for the screen: `to` links its cause, `open` all its legs. */
type Line = {
  id: string;
  at: Instant;
  text: string;
  to: string | null;
  open?: string;
  amountCents: Cents;
  balanceCents: Cents | null;
};

/** The account's opening and closing balance, or the total of the shown entries only. */
type Sums =
  | { openingCents: Cents; closingCents: Cents }
  | { inCents: Cents; outCents: Cents; sumCents: Cents };

type StatementPageInput = {
  of: StatementSubject;
  only: EntryFilter;
  cursor: string | null;
  limit: number;
  /** The links of an entry's cause, and of all its legs. */ causeOf(
    row: FilteredEntryRow,
  ): string | null;
  legsOf?(row: FilteredEntryRow): string;
};

/** Loads a page of a statement: every entry in the period, or those that match `only`. */
export async function loadStatementPage(
  ctx: Context,
  period: StatementPeriod,
  { of, only, cursor, limit, causeOf, legsOf }: StatementPageInput,
): Promise<{ lines: Line[]; sums: Sums; next: string | null }> {
  const range = { of, from: period.from, until: period.until, cursor, limit };
  const lineOf = (row: FilteredEntryRow, balanceCents: number | null): Line => ({
    id: row.id,
    at: row.at,
    amountCents: row.amountCents,
    balanceCents,
    text: entryText(row),
    to: causeOf(row),
    ...(legsOf ? { open: legsOf(row) } : {}),
  });
  if (Object.keys(only).length > 0) {
    const { items, next, ...sums } = await filteredEntriesStatement(ctx, { ...range, only });
    return { lines: items.map((row) => lineOf(row, null)), sums, next };
  }
  const { items, next, ...sums } = await ledgerStatement(ctx, range);
  return { lines: items.map((row) => lineOf(row, row.balanceCents)), sums, next };
}

type StatementExport = Omit<StatementPeriod, "values"> & {
  name: string;
  title: string;
  of: StatementSubject;
};

/**
 * Streams all entries of a statement as a spreadsheet or as OFX, page by page. Null for another
 * format; refuses an invalid period.
 */
export async function ledgerFile(
  ctx: Context,
  format: string | undefined,
  asked: StatementExport,
): Promise<Response | null> {
  if (format !== "planilha.csv" && format !== "extrato.ofx") return null;
  const [problem] = Object.values(asked.errors);
  if (problem !== undefined) return fileErrorResponse(400, problem);
  const { count, firstAt } = await statementExtent(ctx, asked);
  if (count > CSV_ROWS_MAX)
    return fileErrorResponse(
      413,
      "São mais de 100.000 lançamentos. Volte e escolha um período menor.",
    );
  const pages = streamLedgerStatement(ctx, {
    ...asked,
    pageRows: CSV_PAGE_ROWS,
    most: CSV_ROWS_MAX,
  });
  const filename = `coreto-${asked.name}-${isoDay(ctx.now())}`;
  return format === "planilha.csv"
    ? csvFile(`${filename}.csv`, csvPieces(pages))
    : streamedFile(
        `${filename}.ofx`,
        "application/x-ofx; charset=utf-8",
        ofxPieces(await ofxStatement(ctx, asked, firstAt), pages),
      );
}

async function* csvPieces(pages: AsyncIterable<AccountStatement>): AsyncGenerator<string> {
  yield CSV_BOM + csvLine(["Data", "Lançamento", "Valor", "Saldo", "Código"]);
  for await (const { items } of pages) {
    yield items
      .map((row) =>
        csvLine([
          minuteCell(row.at),
          textCell(entryText(row)),
          moneyCell(row.amountCents),
          moneyCell(row.balanceCents),
          row.id,
        ]),
      )
      .join("");
  }
}

/**
 * Streams a statement as OFX, from the first entry on. The account number derives from what the
 * account is, not from its name, which its owner can change.
 */
async function ofxStatement(
  ctx: Context,
  { title, of, from, until }: StatementExport,
  firstAt: Instant | null,
): Promise<OfxStatement> {
  const madeAt = ctx.now();
  // The last second of the last day: programs show that day as the day of the balance.
  const last = until === null ? madeAt : until - SECOND_MS;
  const digest = await sha256Hex(
    "account" in of ? accountId(of.account) : `payout_in_transit:to:${of.inTransitTo}`,
  );
  return {
    accountNumber: digest.slice(0, ACCOUNT_NUMBER_DIGITS),
    accountName: title,
    from: from ?? firstAt ?? last,
    until: last,
    madeAt,
  };
}

const ACCOUNT_NUMBER_DIGITS = 20;

async function* ofxPieces(
  head: OfxStatement,
  pages: AsyncIterable<AccountStatement>,
): AsyncGenerator<string> {
  let closingCents: number | null = null;
  yield ofxHead(head);
  for await (const page of pages) {
    closingCents ??= page.closingCents;
    yield page.items.map((row) => ofxEntry({ ...row, memo: entryText(row) })).join("");
  }
  yield ofxTail(head, closingCents ?? 0);
}
