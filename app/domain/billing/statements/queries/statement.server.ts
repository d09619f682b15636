import { and, eq, gte, isNotNull, lte, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { NO_PART } from "#app/domain/billing/schema.ts";
import type {
  CountedPayment,
  StatementTotals,
} from "#app/domain/billing/statements/rules/statement.ts";
import type {
  StatementSide,
  TransactionFilter,
  TransactionKind,
} from "#app/domain/billing/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { Instant } from "#app/domain/time.ts";
import { analyticsMoney } from "#drizzle/schema/analytics.ts";
import { transactionTotals } from "#drizzle/schema/billing.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { atOf, paidBy, receivedBy, within } from "./statement-filter.server.ts";

export type TransactionRow = CountedPayment & {
  id: string;
  /** When it was paid. For an unpaid charge, when it was created. */
  at: Instant;
  description: string;
  kind: TransactionKind;
  method: PaymentMethod;
  /** The Pix mandate that it was debited from, or created with. */
  recurringPixId: string | null;
  status: ChargeStatus;
  counterpartName: string;
  counterpartUsername: string;
};

export type BillingStatement = {
  page: Page<TransactionRow>;
  totals: StatementTotals;
  /** The person that the filter names. Null when it names nobody, or the username is unknown. */
  person: { name: string } | null;
  /** The names of what the filter names; null for none and unknown ones. */
  parts: StatementParts;
};

export type StatementParts = {
  planName: string | null;
  linkName: string | null;
  /** The title of what was sold, as at its last sale. */
  itemTitle: string | null;
};

type BillingStatementRequest = { personId: string; face: StatementSide; filter: TransactionFilter };

const counterpart = alias(profiles, "counterpart");

/**
 * Reads one page of what a person paid or received, newest first. Also reads the filter's totals
 * and the person that it names, in one round trip. The page reads single rows, the totals read
 * daily sums. Amounts in centavos.
 */
export async function billingStatement(
  ctx: Context,
  asked: BillingStatementRequest & { cursor: string | null; limit: number },
): Promise<BillingStatement> {
  const [rows, sums, people, [parts]] = await ctx.db.batch([
    rowsStatement(ctx, asked),
    totalsStatement(ctx, asked),
    personStatement(ctx, asked.filter.person),
    partNamesStatement(ctx, asked),
  ]);
  const page = pageOf(rows.map(asRow), asked.limit, (row) => ({ at: row.at, id: row.id }));
  return {
    page,
    totals: sums[0] ?? NOTHING,
    person: people[0] ?? null,
    parts: parts ?? { planName: null, linkName: null, itemTitle: null },
  };
}

const NOTHING: StatementTotals = {
  count: 0,
  amountCents: 0,
  refundedCents: 0,
  disputedCents: 0,
  feeCents: 0,
  netCents: 0,
};

/** Reads the totals alone. */
export async function billingStatementTotals(
  ctx: Context,
  asked: BillingStatementRequest,
): Promise<StatementTotals> {
  const [sums] = await totalsStatement(ctx, asked);
  return sums ?? NOTHING;
}

/** Reads every payment of the filter, newest first, page by page, at most `most` of them. */
export async function* streamBillingStatement(
  ctx: Context,
  asked: BillingStatementRequest & { pageRows: number; most: number },
): AsyncGenerator<TransactionRow[]> {
  let cursor: string | null = null;
  for (let left = asked.most; left > 0; left -= asked.pageRows) {
    const limit = Math.min(asked.pageRows, left);
    const rows = await rowsStatement(ctx, { ...asked, cursor, limit });
    const page: Page<TransactionRow> = pageOf(rows.map(asRow), limit, (row) => ({
      at: row.at,
      id: row.id,
    }));
    yield page.items;
    if (page.next === null) return;
    cursor = page.next;
  }
}

type StatementPaymentRow = Omit<TransactionRow, "kind"> & { kind: string };
/** A trigger refuses any other text in `purchase_kind`. */
const asRow = (row: StatementPaymentRow): TransactionRow => ({
  ...row,
  kind: row.kind as TransactionKind,
});

function rowsStatement(
  ctx: Context,
  {
    personId,
    face,
    filter,
    cursor,
    limit,
  }: BillingStatementRequest & { cursor: string | null; limit: number },
) {
  const at = atOf(face);
  const after = decodeCursor(cursor);
  const isOther = eq(counterpart.personId, face === "paid" ? charges.creatorId : charges.payerId);
  return ctx.db
    .select({
      id: charges.id,
      at: at.as("happened_at"),
      description: charges.description,
      kind: sql<string>`${charges.purchaseKind}`.as("kind"),
      amountCents: charges.amountCents,
      feeCents: charges.feeCents,
      netCents: charges.netCents,
      method: charges.method,
      recurringPixId: charges.recurringPixId,
      status: sql<ChargeStatus>`${charges.status}`.as("state"),
      refundedCents: charges.refundedCents,
      refundedFeeCents: charges.refundedFeeCents,
      disputedCents: charges.disputedCents,
      disputedFeeCents: charges.disputedFeeCents,
      counterpartName: counterpart.name,
      counterpartUsername: counterpart.username,
    })
    .from(charges)
    .innerJoin(counterpart, isOther)
    .where(
      and(
        face === "paid" ? paidBy(personId, filter) : receivedBy(personId, filter),
        within(at, filter),
        after ? sql`(${at}, ${charges.id}) < (${after.at}, ${after.id})` : undefined,
      ),
    )
    .orderBy(sql`${at} DESC`, sql`${charges.id} DESC`)
    .limit(limit + 1);
}

/**
 * Reads the daily totals, by plan or link those of `analytics_money`. Between two people, for one
 * subscription, for one item and of refunds it sums the payments themselves: there are few.
 */
function totalsStatement(ctx: Context, asked: BillingStatementRequest) {
  const { person, subscription, item, refunds, plan, link, state, method, kind } = asked.filter;
  if ([person, subscription, item, refunds].some((one) => one !== null))
    return totalsOfPayments(ctx, asked);
  if (plan === null && link === null) return totalsByDay(ctx, asked);
  return state === null && method === null && kind === null
    ? totalsByPart(ctx, asked)
    : totalsOfPayments(ctx, asked);
}

function totalsByPart(
  ctx: Context,
  { personId, filter: { from, until, plan, link } }: BillingStatementRequest,
) {
  const { day, planId, linkSlug, ...total } = analyticsMoney;
  const part = (value: string): string => (value === NO_PART ? "" : value);
  return ctx.db
    .select(sumsOfTotals(total))
    .from(analyticsMoney)
    .where(
      and(
        eq(total.creatorId, personId),
        from === null ? undefined : gte(day, from),
        until === null ? undefined : lte(day, until),
        plan === null ? undefined : eq(planId, part(plan)),
        link === null ? undefined : eq(linkSlug, part(link)),
      ),
    );
}

function totalsByDay(
  ctx: Context,
  { personId, face, filter: { from, until, state, method, kind } }: BillingStatementRequest,
) {
  const { day, ...total } = transactionTotals;
  return ctx.db
    .select(sumsOfTotals(total))
    .from(transactionTotals)
    .where(
      and(
        eq(total.personId, personId),
        eq(total.face, face),
        from === null ? undefined : gte(day, from),
        until === null ? undefined : lte(day, until),
        state === null ? undefined : eq(total.state, state),
        method === null ? undefined : eq(total.method, method),
        kind === null ? undefined : eq(total.kind, kind),
      ),
    );
}

function totalsOfPayments(ctx: Context, { personId, face, filter }: BillingStatementRequest) {
  const fee = sql`${charges.feeCents} - ${charges.refundedFeeCents} - ${charges.disputedFeeCents}`;
  return ctx.db
    .select(
      sumsOf({
        count: sql`1`,
        amount: charges.amountCents,
        refunded: charges.refundedCents,
        disputed: charges.disputedCents,
        fee,
        net: sql`${charges.amountCents} - ${charges.refundedCents} - ${charges.disputedCents} - (${fee})`,
      }),
    )
    .from(charges)
    .where(
      and(
        face === "paid" ? paidBy(personId, filter) : receivedBy(personId, filter),
        isNotNull(charges.succeededAt),
        within(atOf(face), filter),
      ),
    );
}

/** The sums of a table of daily totals. */
const sumsOfTotals = (total: Record<keyof StatementTotals, SQLiteColumn>) =>
  sumsOf({
    count: total.count,
    amount: total.amountCents,
    refunded: total.refundedCents,
    disputed: total.disputedCents,
    fee: total.feeCents,
    net: total.netCents,
  });

type StatementTotalsRow = Record<
  "count" | "amount" | "refunded" | "disputed" | "fee" | "net",
  SQL | SQLiteColumn
>;

function sumsOf({ count, amount, refunded, disputed, fee, net }: StatementTotalsRow) {
  const sum = (of: StatementTotalsRow["count"], name: string) =>
    sql<number>`COALESCE(SUM(${of}), 0)`.as(name);
  return {
    count: sum(count, "payments"),
    amountCents: sum(amount, "amount"),
    refundedCents: sum(refunded, "refunded"),
    disputedCents: sum(disputed, "disputed"),
    feeCents: sum(fee, "fee"),
    netCents: sum(net, "net"),
  };
}

function personStatement(ctx: Context, username: string | null) {
  return ctx.db
    .select({ name: profiles.name })
    .from(profiles)
    .where(username === null ? sql`0` : eq(profiles.username, username))
    .limit(1);
}

/** The one row of the person's own page, with the names. */
function partNamesStatement(
  ctx: Context,
  { personId, filter: { plan, link, item } }: BillingStatementRequest,
) {
  return ctx.db
    .select({
      planName: sql<
        string | null
      >`(SELECT p.name FROM plans p WHERE p.id = ${plan} AND p.creator_id = ${personId})`.as(
        "plan_name",
      ),
      linkName: sql<
        string | null
      >`(SELECT l.name FROM creator_links l WHERE l.slug = ${link} AND l.creator_id = ${personId})`.as(
        "link_name",
      ),
      itemTitle: sql<
        string | null
      >`(SELECT COALESCE((SELECT b.title FROM purchases b WHERE b.id = c.purchase_id), c.description) FROM charges c
        WHERE c.creator_id = ${personId} AND c.item_id = ${item} AND c.succeeded_at IS NOT NULL ORDER BY c.succeeded_at DESC LIMIT 1)`.as(
        "item_title",
      ),
    })
    .from(profiles)
    .where(eq(profiles.personId, personId))
    .limit(1);
}
