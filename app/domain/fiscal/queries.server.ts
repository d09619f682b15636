import { and, asc, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { retainedSince } from "./rules.ts";
import type { Rps } from "./schema.ts";
import { monthBounds, monthAfter, monthBefore } from "#app/domain/ledger/months/rules/months.ts";
import type { Month } from "#app/domain/ledger/months/rules/months.ts";
import type { Cents } from "#app/domain/money.ts";
import { fiscalBatches, fiscalFees } from "#drizzle/schema/fiscal.ts";
import { ledgerSeals } from "#drizzle/schema/ledger.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

export type InvoiceBatch = typeof fiscalBatches.$inferSelect;

/** Loads what `monthToInvoice` decides by. */
export async function loadInvoicingState(ctx: Context): Promise<InvoicingState> {
  return asInvoicingState(await ctx.db.batch(factRows(ctx)));
}

type InvoicingState = {
  lastInvoiced: Month | null;
  firstSealed: Month | null;
  lastSealed: Month | null;
};

const factRows = (ctx: Context) =>
  [
    ctx.db
      .select({ month: fiscalBatches.month })
      .from(fiscalBatches)
      .orderBy(desc(fiscalBatches.month))
      .limit(1),
    ctx.db
      .select({
        first: sql<Month | null>`MIN(${ledgerSeals.month})`.as("first_month"),
        last: sql<Month | null>`MAX(${ledgerSeals.month})`.as("last_month"),
      })
      .from(ledgerSeals),
  ] as const;

type InvoicingStateRows = ReturnType<typeof factRows>;

const asInvoicingState = ([last, sealed]: readonly [
  Awaited<InvoicingStateRows[0]>,
  Awaited<InvoicingStateRows[1]>,
]): InvoicingState => ({
  lastInvoiced: last[0]?.month ?? null,
  firstSealed: sealed[0]?.first ?? null,
  lastSealed: sealed[0]?.last ?? null,
});

/**
 * SQL of the rows of a month's fees for `fiscal_fees`: each creator's fee in the books, the amount
 * carried from the previous month, and the next numbers in order. Only approved documents name a
 * taker; a creator without them waits for the next month.
 */
export function monthFees(month: Month): SQL {
  const { from, until } = monthBounds(month);
  return sql`
    SELECT ${month}, creator_id, fee_cents, carried_cents, invoiced_cents, fee_cents + carried_cents - invoiced_cents,
      CASE WHEN invoiced_cents > 0 THEN COALESCE((SELECT MAX(number) FROM fiscal_fees), 0) + ROW_NUMBER() OVER (PARTITION BY invoiced_cents > 0 ORDER BY creator_id) END,
      seller_name, tax_kind, tax_id
    FROM (
      SELECT s.creator_id, s.fee_cents, s.carried_cents, d.seller_name, d.tax_kind, d.tax_id,
        CASE WHEN d.tax_id IS NOT NULL AND s.fee_cents + s.carried_cents > 0 THEN s.fee_cents + s.carried_cents ELSE 0 END AS invoiced_cents
      FROM (
        SELECT creator_id, SUM(fee_cents) AS fee_cents, SUM(carried_cents) AS carried_cents FROM (
          SELECT c.creator_id, -e.amount_cents AS fee_cents, 0 AS carried_cents
          FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id JOIN charges c ON c.id = t.charge_id
          WHERE e.account_id = 'platform_fees' AND e.posted_at >= ${from} AND e.posted_at < ${until}
          UNION ALL SELECT creator_id, 0, left_cents FROM fiscal_fees WHERE month = ${monthBefore(month)} AND left_cents <> 0)
        GROUP BY creator_id HAVING SUM(fee_cents) <> 0 OR SUM(carried_cents) <> 0) s
      LEFT JOIN documents d ON d.person_id = s.creator_id AND d.status = 'approved')
    ORDER BY invoiced_cents > 0, creator_id`;
}

/** SQL of the row of a month, over the fees that the same batch wrote before it. */
export function monthBatch(ctx: Context, month: Month, issuedOn: string): SQL {
  const { from, until } = monthBounds(month);
  return sql`
    SELECT ${month}, CAST(${from} AS INTEGER), CAST(${until} AS INTEGER), COALESCE(SUM(fee_cents), 0), COALESCE(SUM(invoiced_cents), 0), COALESCE(SUM(left_cents), 0),
      COUNT(number), MIN(number), MAX(number), ${issuedOn}, 0, CAST(${ctx.now()} AS INTEGER), CASE WHEN COUNT(number) = 0 THEN CAST(${ctx.now()} AS INTEGER) END, NULL, NULL
    FROM fiscal_fees WHERE month = ${month}`;
}

/** Finds the oldest month that is not submitted completely, or null. */
export async function unfinishedBatch(ctx: Context): Promise<InvoiceBatch | null> {
  const [row] = await ctx.db
    .select()
    .from(fiscalBatches)
    .where(isNull(fiscalBatches.handedInAt))
    .orderBy(asc(fiscalBatches.month))
    .limit(1);
  return row ?? null;
}

/**
 * Finds the oldest month whose invoices name takers past the legal retention, and the number of its
 * invoices; null where there is none.
 */
export async function monthToErase(
  ctx: Context,
): Promise<{ month: Month; invoicesCount: number } | null> {
  const [last] = await ctx.db
    .select({ month: fiscalBatches.month })
    .from(fiscalBatches)
    .orderBy(desc(fiscalBatches.month))
    .limit(1);
  if (!last) return null;
  const [row] = await ctx.db
    .select({ month: fiscalBatches.month, invoicesCount: fiscalBatches.invoicesCount })
    .from(fiscalBatches)
    .where(
      and(
        lt(fiscalBatches.month, retainedSince(last.month)),
        sql`EXISTS (SELECT 1 FROM fiscal_fees named WHERE named.month = ${fiscalBatches.month} AND named.tax_id IS NOT NULL)`,
      ),
    )
    .orderBy(asc(fiscalBatches.month))
    .limit(1);
  return row ?? null;
}

/** More months than ever wait at once. */
const MOST_WAITING = 24;

/**
 * Loads what `lateMonths` decides by: the batches that nobody took to the city hall, oldest first,
 * and the next month to invoice. One round trip.
 */
export async function pendingMonths(
  ctx: Context,
): Promise<{ batches: InvoiceBatch[]; nextMonth: Month | null }> {
  const [batches, [last], [sealed]] = await ctx.db.batch([
    ctx.db
      .select()
      .from(fiscalBatches)
      .where(and(isNull(fiscalBatches.takenAt), gt(fiscalBatches.invoicesCount, 0)))
      .orderBy(asc(fiscalBatches.month))
      .limit(MOST_WAITING),
    ctx.db
      .select({ month: fiscalBatches.month })
      .from(fiscalBatches)
      .orderBy(desc(fiscalBatches.month))
      .limit(1),
    ctx.db
      .select({ month: ledgerSeals.month })
      .from(ledgerSeals)
      .orderBy(asc(ledgerSeals.month))
      .limit(1),
  ]);
  return { batches, nextMonth: last ? monthAfter(last.month) : (sealed?.month ?? null) };
}

/** Lists the invoices of a month in order, after the one numbered `after`. */
export async function invoicesAfter(
  ctx: Context,
  { month, after, limit }: { month: Month; after: number; limit: number },
): Promise<Rps[]> {
  return await ctx.db
    .select({
      number: sql<number>`${fiscalFees.number}`,
      amountCents: fiscalFees.invoicedCents,
      takerName: sql<string>`${fiscalFees.takerName}`,
      taxKind: sql<"cpf" | "cnpj">`${fiscalFees.taxKind}`,
      taxId: sql<string>`${fiscalFees.taxId}`,
    })
    .from(fiscalFees)
    .where(and(eq(fiscalFees.month, month), gt(fiscalFees.number, after)))
    .orderBy(asc(fiscalFees.number))
    .limit(limit);
}

const MOST_MONTHS = 120;

/**
 * Lists every invoiced month, newest first, with its fees in the ledger now (centavos). Both are
 * shown and must be equal.
 */
export async function invoiceBatches(ctx: Context): Promise<InvoiceBatchView[]> {
  return asBatches(await batchRows(ctx));
}

type InvoiceBatchView = InvoiceBatch & { bookCents: Cents };

function batchRows(ctx: Context) {
  return ctx.db
    .select({
      batch: fiscalBatches,
      bookCents:
        sql<Cents>`(SELECT COALESCE(-SUM(e.amount_cents), 0) FROM ledger_entries e WHERE e.account_id = 'platform_fees' AND e.posted_at >= fiscal_batches.starts_at AND e.posted_at < fiscal_batches.ends_at)`.as(
          "book_cents",
        ),
    })
    .from(fiscalBatches)
    .orderBy(desc(fiscalBatches.month))
    .limit(MOST_MONTHS);
}

const asBatches = (rows: Awaited<ReturnType<typeof batchRows>>): InvoiceBatchView[] =>
  rows.map(({ batch, bookCents }) => ({ ...batch, bookCents }));

/** Loads the same, and which months wait (`loadInvoicingState`), in one round trip. */
export async function loadInvoicing(
  ctx: Context,
): Promise<{ batches: InvoiceBatchView[]; invoicing: InvoicingState }> {
  const [rows, ...found] = await ctx.db.batch([batchRows(ctx), ...factRows(ctx)]);
  return { batches: asBatches(rows), invoicing: asInvoicingState(found) };
}

/**
 * Loads the batch of a month, and the name of the person who took it to the city hall; null where
 * the month was not invoiced.
 */
export async function batchOfMonth(
  ctx: Context,
  { month }: { month: Month },
): Promise<(InvoiceBatch & { takenByName: string | null }) | null> {
  const [row] = await ctx.db
    .select({ batch: fiscalBatches, takenByName: profiles.name })
    .from(fiscalBatches)
    .leftJoin(profiles, eq(profiles.personId, fiscalBatches.takenBy))
    .where(eq(fiscalBatches.month, month))
    .limit(1);
  return row ? { ...row.batch, takenByName: row.takenByName } : null;
}

export type FeeRow = {
  creatorId: string;
  name: string | null;
  username: string | null;
  feeCents: Cents;
  carriedCents: Cents;
  invoicedCents: Cents;
  leftCents: Cents;
  number: number | null;
};

/** Lists the creators of a month ordered by id, after `after`; only `creatorId` if it is given. */
export async function monthFeeRows(
  ctx: Context,
  {
    month,
    after,
    creatorId = null,
    limit,
  }: { month: Month; after: string; creatorId?: string | null; limit: number },
): Promise<FeeRow[]> {
  return await ctx.db
    .select({
      creatorId: fiscalFees.creatorId,
      name: fiscalFees.takerName,
      username: profiles.username,
      feeCents: fiscalFees.feeCents,
      carriedCents: fiscalFees.carriedCents,
      invoicedCents: fiscalFees.invoicedCents,
      leftCents: fiscalFees.leftCents,
      number: fiscalFees.number,
    })
    .from(fiscalFees)
    .leftJoin(profiles, eq(profiles.personId, fiscalFees.creatorId))
    .where(
      and(
        eq(fiscalFees.month, month),
        gt(fiscalFees.creatorId, after),
        creatorId === null ? undefined : eq(fiscalFees.creatorId, creatorId),
      ),
    )
    .orderBy(asc(fiscalFees.creatorId))
    .limit(limit);
}

export type FeeOfMonth = Pick<
  typeof fiscalFees.$inferSelect,
  "feeCents" | "carriedCents" | "invoicedCents" | "leftCents" | "number"
> & { issuedOn: string };

/**
 * Loads what was invoiced to one creator for a month. Null while the month was not invoiced, or had
 * no fee of theirs.
 */
export async function creatorMonthFee(
  ctx: Context,
  { month, creatorId }: { month: Month; creatorId: string },
): Promise<FeeOfMonth | null> {
  const [row] = await ctx.db
    .select({
      feeCents: fiscalFees.feeCents,
      carriedCents: fiscalFees.carriedCents,
      invoicedCents: fiscalFees.invoicedCents,
      leftCents: fiscalFees.leftCents,
      number: fiscalFees.number,
      issuedOn: fiscalBatches.issuedOn,
    })
    .from(fiscalFees)
    .innerJoin(fiscalBatches, eq(fiscalBatches.month, fiscalFees.month))
    .where(and(eq(fiscalFees.month, month), eq(fiscalFees.creatorId, creatorId)))
    .limit(1);
  return row ?? null;
}
