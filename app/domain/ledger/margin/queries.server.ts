import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { marginGroupName, parseMarginGroup, PRICE_BANDS_CENTS } from "./rules.ts";
import type { MarginGroup, MarginSums } from "./rules.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { Instant } from "#app/domain/time.ts";

type MarginPeriod = { from: Instant; until: Instant };

/** SQL of the price band of `c.amount_cents`. */
const BAND = sql.raw(
  `CASE ${[...PRICE_BANDS_CENTS.entries()]
    .toReversed()
    .map(([band, cents]) => `WHEN c.amount_cents >= ${cents} THEN ${band}`)
    .join(" ")} END`,
);

/** `marginGroupName` in SQL. All transfers out are one group, whatever payment they refund. */
const GROUP: SQL = sql`CASE WHEN t.source_key LIKE 'cost:transfer:%' THEN 'transfers' WHEN c.id IS NULL THEN 'rest' WHEN c.purchase_kind = 'debt' THEN 'debts' ELSE c.method || '-' || ${BAND} END`;

const IS_TAKEN = sql.raw(
  "a.kind = 'provider_clearing' AND t.kind IN ('charge.succeeded', 'debt.paid')",
);
/** A creator's payment of their debt is counted, but is no sale: shares are of sales. */
const IS_SOLD = sql.raw("a.kind = 'provider_clearing' AND t.kind = 'charge.succeeded'");
const SUMS = sql`
  SUM(CASE WHEN ${IS_TAKEN} THEN 1 ELSE 0 END) AS count,
  SUM(CASE WHEN ${IS_SOLD} THEN e.amount_cents ELSE 0 END) AS gross,
  SUM(CASE WHEN a.kind IN ('platform_fees', 'fees_reserved') THEN -e.amount_cents ELSE 0 END) AS fee,
  SUM(CASE WHEN a.kind = 'provider_costs' THEN e.amount_cents ELSE 0 END) AS cost`;

/**
 * SQL of the entries of a period in the accounts that make the margin, each found by its account
 * and time.
 */
const entries = ({ from, until }: MarginPeriod): SQL => sql`
  ledger_accounts a JOIN ledger_entries e ON e.account_id = a.id AND e.posted_at >= ${from} AND e.posted_at < ${until}
  JOIN ledger_transactions t ON t.id = e.transaction_id LEFT JOIN charges c ON c.id = t.charge_id
  WHERE (a.id IN ('platform_fees', 'fees_reserved', 'provider_costs') OR (a.id > 'provider_clearing:' AND a.id < 'provider_clearing;'))
    AND (a.kind <> 'provider_clearing' OR (${IS_TAKEN}))`;

type MarginRow = { count: number; gross: number; fee: number; cost: number };
const sumsOf = ({ count, gross, fee, cost }: MarginRow): MarginSums => ({
  count,
  grossCents: gross,
  feeCents: fee,
  costCents: cost,
});

export type MarginLine<Method extends string> = MarginSums & { group: MarginGroup<Method> };

/**
 * Sums what each method and price band left to the platform, from `from` until before `until`.
 *
 * The fees add up to the change of platform_fees and fees_reserved, and the costs to that of
 * provider_costs. `methods` are the payment methods of sales. One round trip.
 */
export async function marginLines<Method extends string>(
  ctx: Context,
  { methods, ...period }: MarginPeriod & { methods: readonly Method[] },
): Promise<MarginLine<Method>[]> {
  const rows = await ctx.db.all<MarginRow & { name: string }>(
    sql`SELECT ${GROUP} AS name, ${SUMS} FROM ${entries(period)} GROUP BY 1 ORDER BY 1`,
  );
  return rows.map((row) => ({
    group: parseMarginGroup(row.name, methods) ?? { of: "rest" },
    ...sumsOf(row),
  }));
}

export type MarginItem = MarginSums & {
  id: string;
  chargeId: string | null;
  payoutId: string | null;
  description: string | null;
  at: Instant;
};

/**
 * Lists what a margin line, or the sum of all lines, consists of. Newest first, one page after
 * `cursor`.
 *
 * An item is a payment with everything it did in the period, or one entry without a payment. `sums`
 * is the sum of all items; null without any.
 */
export async function marginItems(
  ctx: Context,
  {
    group,
    cursor,
    limit,
    ...period
  }: MarginPeriod & { group: MarginGroup; cursor: string | null; limit: number },
): Promise<Page<MarginItem> & { sums: MarginSums | null }> {
  const after = decodeCursor(cursor);
  const isOfGroup = group.of === "all" ? sql`` : sql`AND ${GROUP} = ${marginGroupName(group)}`;
  const sum = (column: "count" | "gross" | "fee" | "cost") =>
    sql`(SELECT SUM(whole.${sql.raw(column)}) FROM line whole)`;
  const rows = await ctx.db.all<
    MarginRow &
      Pick<MarginItem, "id" | "chargeId" | "payoutId" | "description" | "at"> & {
        counts: number;
        grosses: number;
        fees: number;
        costs: number;
      }
  >(sql`
    WITH line AS MATERIALIZED (SELECT COALESCE(t.charge_id, t.id) AS id, t.charge_id AS "chargeId", t.payout_id AS "payoutId", c.description, MAX(e.posted_at) AS at, ${SUMS} FROM ${entries(period)} ${isOfGroup} GROUP BY 1)
    SELECT line.*, ${sum("count")} AS counts, ${sum("gross")} AS grosses, ${sum("fee")} AS fees, ${sum("cost")} AS costs FROM line
    ${after === null ? sql`` : sql`WHERE at < ${after.at} OR (at = ${after.at} AND id < ${after.id})`} ORDER BY at DESC, id DESC LIMIT ${limit + 1}`);
  const [first] = rows;
  const page = pageOf(rows, limit, ({ at, id }) => ({ at, id }));
  return {
    next: page.next,
    items: page.items.map(({ id, chargeId, payoutId, description, at, ...row }) => ({
      id,
      chargeId,
      payoutId,
      description,
      at,
      ...sumsOf(row),
    })),
    sums: first
      ? {
          count: first.counts,
          grossCents: first.grosses,
          feeCents: first.fees,
          costCents: first.costs,
        }
      : null,
  };
}
