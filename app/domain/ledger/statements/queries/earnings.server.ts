import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { earningsFigures } from "#app/domain/ledger/statements/rules/earnings.ts";
import type {
  EarningsEffect,
  EarningsFigureName,
} from "#app/domain/ledger/statements/rules/earnings.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { Instant } from "#app/domain/time.ts";
import { calendarBucketSql } from "./days.server.ts";

type EarningsRequest = { creatorId: string; from: Instant; until: Instant };

export type Earnings = {
  /** The creator's balance before and after the range, in centavos. */ openingCents: Cents;
  closingCents: Cents;
  effects: EarningsEffect[];
};

const inRange = ({ from, until }: EarningsRequest, column: SQL): SQL =>
  sql`${column} >= ${from} AND ${column} < ${until}`;

/** The accounts of a creator's money. Disputed money is in none of them. */
function ownAccounts(creatorId: string, column: SQL): SQL {
  const own = JSON.stringify(
    ["creator_pending", "creator_available", "creator_owed"].map((kind) => `${kind}:${creatorId}`),
  );
  return sql`${column} IN (SELECT value FROM json_each(${own}) UNION ALL SELECT 'payout_in_transit:' || p.id FROM payouts p WHERE p.creator_id = ${creatorId})`;
}

/**
 * SQL of every entry that moved the creator's money or a fee of their sales. A fee is found by its
 * sale, because a refund of one centavo may be of the fee alone.
 */
function moved(asked: EarningsRequest): SQL {
  return sql`
    SELECT e.transaction_id, e.posted_at, -e.amount_cents AS held_cents, 0 AS fee_cents FROM ledger_entries e
    WHERE ${ownAccounts(asked.creatorId, sql`e.account_id`)} AND ${inRange(asked, sql`e.posted_at`)}
    UNION ALL
    SELECT e.transaction_id, e.posted_at, 0, -e.amount_cents FROM charges c JOIN ledger_transactions t ON t.charge_id = c.id JOIN ledger_entries e ON e.transaction_id = t.id
    WHERE c.creator_id = ${asked.creatorId} AND c.succeeded_at IS NOT NULL AND +e.account_id = 'platform_fees' AND ${inRange(asked, sql`t.posted_at`)}`;
}

/**
 * SQL of the transaction kind, as `earningsPartOf` reads it. A refund or dispute of a debt payment
 * gets the prefix `debt.`.
 */
const KIND = sql.raw(
  "CASE WHEN t.kind NOT LIKE 'debt.%' AND (SELECT c.purchase_kind FROM charges c WHERE c.id = t.charge_id) = 'debt' THEN 'debt.' || t.kind ELSE t.kind END",
);

function heldSince(ctx: Context, creatorId: string, at: Instant) {
  return ctx.db
    .select({ cents: sql<Cents>`COALESCE(-SUM(e.amount_cents), 0)`.as("cents") })
    .from(sql`ledger_entries e`)
    .where(sql`${ownAccounts(creatorId, sql`e.account_id`)} AND e.posted_at >= ${at}`);
}

/**
 * Loads what happened to a creator's money from `from` until before `until`, by São Paulo day or
 * month and by kind.
 *
 * The balances before and after come from the accounts, not from these sums. One round trip.
 */
export async function creatorEarnings(
  ctx: Context,
  { by, ...asked }: EarningsRequest & { by: "day" | "month" },
): Promise<Earnings> {
  const [now, sinceFrom, sinceUntil, effects] = await ctx.db.batch([
    ctx.db
      .select({ cents: sql<Cents>`COALESCE(-SUM(a.balance_cents), 0)`.as("cents") })
      .from(sql`ledger_accounts a`)
      .where(ownAccounts(asked.creatorId, sql`a.id`)),
    heldSince(ctx, asked.creatorId, asked.from),
    heldSince(ctx, asked.creatorId, asked.until),
    ctx.db
      .select({
        bucket: calendarBucketSql(sql`m.posted_at`, by).as("bucket"),
        kind: sql<string>`${KIND}`.as("kind"),
        count: sql<number>`COUNT(DISTINCT t.id)`.as("happenings"),
        feeCents: sql<Cents>`SUM(m.fee_cents)`.as("fee"),
        heldCents: sql<Cents>`SUM(m.held_cents)`.as("held"),
      })
      .from(sql`(${moved(asked)}) m JOIN ledger_transactions t ON t.id = m.transaction_id`)
      .groupBy(sql`1`, sql`2`)
      .orderBy(sql`1`, sql`2`),
  ]);
  const cents = ([row]: { cents: Cents }[]) => row?.cents ?? 0;
  return {
    openingCents: cents(now) - cents(sinceFrom),
    closingCents: cents(now) - cents(sinceUntil),
    effects,
  };
}

export type EarningsFigureRow = {
  id: string;
  at: Instant;
  kind: string;
  chargeId: string | null;
  /** What was sold, where it comes from a sale. */ description: string | null;
  cents: Cents;
};

/**
 * Which transactions belong to a figure, as `earningsFigures` counts them. A property test checks
 * that both agree.
 */
const BEHIND: Record<EarningsFigureName, SQL> = {
  gross: sql`kind = 'charge.succeeded'`,
  returned: sql`kind = 'charge.refunded' AND fee + held <> 0`,
  disputed: sql`kind LIKE 'dispute.%' AND fee + held <> 0`,
  fee: sql`(kind LIKE 'charge.%' OR kind LIKE 'dispute.%') AND fee <> 0`,
  net: sql`(kind IN ('charge.succeeded', 'charge.refunded') OR kind LIKE 'dispute.%') AND held <> 0`,
  paid: sql`kind LIKE 'payout.%' AND held <> 0`,
  other: sql`kind NOT IN ('charge.succeeded', 'charge.refunded') AND kind NOT LIKE 'dispute.%' AND kind NOT LIKE 'payout.%' AND held <> 0`,
};

/**
 * Lists the transactions behind one figure of a statement, newest first, each with what it adds
 * (centavos).
 */
export async function earningsFigureRows(
  ctx: Context,
  {
    figure,
    cursor,
    limit,
    ...asked
  }: EarningsRequest & { figure: EarningsFigureName; cursor: string | null; limit: number },
): Promise<Page<EarningsFigureRow>> {
  const after = decodeCursor(cursor);
  const rows = await ctx.db
    .select({
      id: sql<string>`id`.as("id"),
      at: sql<Instant>`posted_at`.as("at"),
      kind: sql<string>`kind`.as("kind"),
      chargeId: sql<string | null>`charge_id`.as("charge_id"),
      description: sql<
        string | null
      >`(SELECT sale.description FROM charges sale WHERE sale.id = charge_id)`.as("description"),
      feeCents: sql<Cents>`fee`.as("fee"),
      heldCents: sql<Cents>`held`.as("held"),
    })
    .from(
      sql`(SELECT t.id, t.posted_at, ${KIND} AS kind, t.charge_id, SUM(m.fee_cents) AS fee, SUM(m.held_cents) AS held FROM (${moved(asked)}) m JOIN ledger_transactions t ON t.id = m.transaction_id GROUP BY t.id)`,
    )
    .where(
      after
        ? sql`${BEHIND[figure]} AND (posted_at, id) < (${after.at}, ${after.id})`
        : BEHIND[figure],
    )
    .orderBy(sql`posted_at DESC`, sql`id DESC`)
    .limit(limit + 1);
  const page = pageOf(rows, limit, ({ at, id }) => ({ at, id }));
  return {
    ...page,
    items: page.items.map(({ feeCents, heldCents, ...row }) => ({
      ...row,
      cents: earningsFigures({ kind: row.kind, feeCents, heldCents })[figure],
    })),
  };
}
