import { and, eq, ne, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { ledgerAccounts, ledgerEntries, ledgerTransactions } from "#drizzle/schema/ledger.ts";
import { accountId } from "./rules.ts";
import { looksInvariants } from "./queries/checks.server.ts";
import { sealInvariants } from "./queries/journal.server.ts";
import { fiscalInvariants } from "./queries/fiscal.server.ts";
import { everything, movedSince } from "./queries/moved.server.ts";
import type { Moved } from "./queries/moved.server.ts";
import { liveInvariants } from "./queries/live.server.ts";
import { planChangeInvariants } from "./queries/plan-changes.server.ts";
import { providerInvariants } from "./queries/providers.server.ts";
import { fundingInvariants } from "./queries/funding.server.ts";
import { refundTransferInvariants } from "./queries/refund-transfers.server.ts";
import { reconciliationInvariants } from "./queries/reconciliation.server.ts";
import { reserveInvariants } from "./queries/reserves.server.ts";
import { vacationInvariants } from "./queries/vacations.server.ts";
import type { Look } from "./rules/checks.ts";
import type { AccountKind } from "./schema.ts";

/** `isWhole`: all of what it is about was looked at. */
export type InvariantFinding = { name: string; title: string; isWhole: boolean; rows: Record<string, unknown>[] };

export type Invariant = { name: string; title: string; sql(ctx: Context, moved: Moved): SQL };

const WAITING_LIMIT_MS = 15 * MINUTE_MS;
const REFUND_SILENCE_MS = 3 * 24 * 60 * MINUTE_MS;
const GRACE_MS = 8 * 24 * 60 * MINUTE_MS;

/** By how much vacations of who creates moved the subscription `s`. */
const vacationMs = sql`COALESCE((SELECT SUM(x.moved_ms) FROM vacation_shifts x WHERE x.subscription_id = s.id), 0)`;

/**
 * Each is a query that returns no row while the books are right, over what `moved` lets through. A plus before an account keeps SQLite from finding one
 * entry of a transaction among all entries of an account of everybody. Source: domain rules, "Ledger".
 */
export const invariants: Invariant[] = [
  {
    name: "transactions_balance",
    title: "Cada lançamento soma zero",
    sql: (_, moved) => sql`SELECT transaction_id AS id, SUM(amount_cents) AS sum_cents FROM ledger_entries WHERE ${moved.transaction(sql`transaction_id`)} GROUP BY transaction_id HAVING SUM(amount_cents) <> 0`,
  },
  {
    name: "transactions_posted",
    title: "Nenhum lançamento ficou pela metade",
    sql: () => sql`SELECT id, source_key FROM ledger_transactions WHERE posted_at IS NULL`,
  },
  {
    name: "balances_cached",
    title: "Cada saldo é a soma das suas entradas",
    sql: (_, moved) => sql`
      SELECT a.id, a.balance_cents, COALESCE(SUM(e.amount_cents), 0) AS entries_cents
      FROM ledger_accounts a LEFT JOIN ledger_entries e ON e.account_id = a.id
        AND EXISTS (SELECT 1 FROM ledger_transactions t WHERE t.id = e.transaction_id AND t.posted_at IS NOT NULL)
      WHERE ${moved.account(sql`a.id`)} GROUP BY a.id HAVING a.balance_cents <> COALESCE(SUM(e.amount_cents), 0)`,
  },
  {
    name: "balances_floor",
    title: "Nenhum saldo passou do seu limite",
    sql: (_, moved) => sql`SELECT id, balance_cents FROM ledger_accounts WHERE ${moved.account(sql`id`)} AND has_floor = 1 AND balance_cents * normal_side < 0`,
  },
  {
    name: "books_balance",
    title: "A soma de todas as contas é zero",
    sql: () => sql`SELECT SUM(balance_cents) AS sum_cents FROM ledger_accounts HAVING SUM(balance_cents) <> 0`,
  },
  {
    name: "charges_split",
    title: "Cada cobrança é líquido mais taxa",
    sql: (_, moved) => sql`SELECT id FROM charges WHERE ${moved.charge(sql`id`)} AND amount_cents <> fee_cents + net_cents`,
  },
  {
    name: "charges_posted",
    title: "Cada cobrança paga está no livro, uma vez e pelo seu valor",
    sql: (_, moved) => sql`
      SELECT c.id FROM charges c
      LEFT JOIN ledger_transactions t ON t.source_key = 'charge:' || c.id || ':succeeded'
      LEFT JOIN ledger_entries e ON e.transaction_id = t.id AND +e.account_id = 'provider_clearing:' || c.provider
      WHERE ${moved.charge(sql`c.id`)} AND ((c.succeeded_at IS NOT NULL AND (e.amount_cents IS NULL OR e.amount_cents <> c.amount_cents))
         OR (c.succeeded_at IS NULL AND t.id IS NOT NULL))`,
  },
  {
    name: "releases_whole",
    title: "As partes de cada cobrança somam o líquido, e as que esperam são o que ela tem a liberar",
    sql: (_, moved) => sql`
      SELECT c.id FROM charges c LEFT JOIN charge_releases r ON r.charge_id = c.id WHERE ${moved.charge(sql`c.id`)} GROUP BY c.id
      HAVING (MAX(c.succeeded_at) IS NULL AND (COUNT(r.id) > 0 OR MAX(c.pending_cents) <> 0))
        OR (MAX(c.succeeded_at) IS NOT NULL AND (COUNT(r.id) = 0 OR SUM(r.net_cents) <> MAX(c.net_cents)
          OR MAX(c.pending_cents) <> CASE WHEN MAX(c.status) = 'disputed' THEN 0 ELSE SUM(CASE WHEN r.released_at IS NULL THEN r.net_cents - r.taken_cents ELSE 0 END) END))`,
  },
  ...reserveInvariants,
  {
    name: "periods_priced",
    title: "Os períodos de cada cobrança somam o seu valor",
    sql: (_, moved) => sql`SELECT c.id FROM charges c WHERE ${moved.charge(sql`c.id`)} AND c.periods_cents IS NOT NULL AND c.amount_cents <> (SELECT SUM(p.value) FROM json_each(c.periods_cents) p)`,
  },
  {
    name: "refunds_within_charge",
    title: "Reembolsos e contestações não passam do que foi cobrado",
    sql: (_, moved) => sql`
      SELECT c.id FROM charges c WHERE ${moved.charge(sql`c.id`)} AND (c.refunded_cents + c.disputed_cents > c.amount_cents
        OR c.refunded_cents <> (SELECT COALESCE(SUM(r.amount_cents), 0) FROM refunds r WHERE r.charge_id = c.id AND r.status = 'succeeded'))`,
  },
  {
    name: "coupons_counted",
    title: "Os usos de cada cupom são os que valem, e não passam do limite",
    sql: () => sql`
      SELECT k.id, k.uses_count FROM coupons k
      WHERE k.uses_count > k.uses_limit OR k.uses_count <> (SELECT COUNT(*) FROM coupon_uses u WHERE u.coupon_id = k.id AND u.freed_at IS NULL)`,
  },
  {
    name: "refunds_answered",
    title: "Nenhuma devolução que o provedor recusou, ou não confirma há três dias, espera por nós",
    sql: (ctx) => sql`
      SELECT r.id, r.charge_id, r.amount_cents, r.status FROM refunds r JOIN charges c ON c.id = r.charge_id WHERE c.status NOT IN ('disputed', 'dispute_lost') AND (
        (r.status = 'requested' AND r.created_at < ${ctx.now() - REFUND_SILENCE_MS})
        OR (r.status = 'failed' AND r.decided_by IS NULL AND c.status <> 'refunded' AND r.amount_cents > (
          SELECT COALESCE(SUM(again.amount_cents), 0) FROM refunds again WHERE again.charge_id = r.charge_id AND again.status <> 'failed' AND again.created_at >= r.created_at)))`,
  },
  {
    name: "totals_kept",
    title: "Os totais do extrato são a soma das cobranças",
    sql: () => sql`
      SELECT creator_id AS id, SUM(net_cents) AS net_cents, SUM(amount_cents) AS amount_cents FROM (
        SELECT creator_id, amount_cents, CASE WHEN disputed_cents > 0 THEN 0 ELSE net_cents - (refunded_cents - refunded_fee_cents) END AS net_cents FROM charges WHERE succeeded_at IS NOT NULL AND purchase_kind <> 'debt'
        UNION ALL SELECT person_id, -amount_cents, -net_cents FROM transaction_totals WHERE face = 'received')
      GROUP BY creator_id HAVING SUM(net_cents) <> 0 OR SUM(amount_cents) <> 0`,
  },
  {
    name: "payouts_claimed",
    title: "Cada saque é o lançamento que o reservou",
    sql: (_, moved) => sql`
      SELECT p.id FROM payouts p
      LEFT JOIN ledger_transactions t ON t.source_key = 'payout:' || p.id || ':claimed'
      LEFT JOIN ledger_entries e ON e.transaction_id = t.id AND +e.account_id = 'payout_in_transit:' || p.id
      WHERE ${moved.payout(sql`p.id`)} AND ((p.claimed_at IS NOT NULL AND (e.amount_cents IS NULL OR -e.amount_cents <> p.amount_cents))
         OR (p.claimed_at IS NULL AND t.id IS NOT NULL))`,
  },
  {
    name: "payouts_known",
    title: "Cada dinheiro a caminho pertence a um saque",
    sql: (_, moved) => sql`
      SELECT a.id FROM ledger_accounts a LEFT JOIN payouts p ON p.id = a.owner_id
      WHERE a.kind = 'payout_in_transit' AND ${moved.payout(sql`a.owner_id`)} AND (p.id IS NULL
        OR (p.status IN ('claimed', 'sent') AND -a.balance_cents <> p.amount_cents)
        OR (p.status NOT IN ('claimed', 'sent') AND a.balance_cents <> 0))`,
  },
  ...liveInvariants,
  {
    name: "periods_paid_once",
    title: "Cada período é pago por no máximo uma cobrança",
    sql: () => sql`SELECT subscription_id, starts_at FROM charge_periods WHERE is_difference = 0 GROUP BY subscription_id, starts_at HAVING COUNT(*) > 1`,
  },
  ...planChangeInvariants,
  ...providerInvariants,
  ...refundTransferInvariants,
  ...fundingInvariants,
  ...reconciliationInvariants,
  ...vacationInvariants,
  ...fiscalInvariants,
  {
    name: "access_explained",
    title: "Todo acesso vem de um período pago, de um período grátis, da tolerância, de férias de quem cria ou de uma cortesia",
    sql: () => sql`
      SELECT s.id FROM subscriptions s WHERE s.status IN ('trialing', 'active', 'past_due', 'canceled') AND NOT (s.comp_ends_at IS NOT NULL AND s.amount_cents = 0 AND s.comp_ends_at >= s.access_until)
        AND NOT (s.trial_ends_at IS NOT NULL AND s.status <> 'active' AND s.trial_ends_at + ${GRACE_MS} + ${vacationMs} >= s.access_until) AND NOT EXISTS (
        SELECT 1 FROM charge_periods p JOIN charges c ON c.id = p.charge_id
        WHERE p.subscription_id = s.id AND c.succeeded_at IS NOT NULL AND p.ends_at + ${GRACE_MS} + ${vacationMs} >= s.access_until)`,
  },
  {
    name: "audience_kept",
    title: "A contagem de assinantes é a soma das assinaturas",
    sql: () => sql`
      SELECT creator_id, status FROM (
        SELECT creator_id, status, plan_id, method, 1 AS people, CASE WHEN status <> 'active' THEN 0 WHEN interval = 'weekly' THEN (amount_cents * 104 + 12) / 24 WHEN interval = 'quarterly' THEN (amount_cents * 2 + 3) / 6
          WHEN interval = 'semiannual' THEN (amount_cents * 2 + 6) / 12 WHEN interval = 'annual' THEN (amount_cents * 2 + 12) / 24 ELSE amount_cents END AS monthly_cents FROM subscriptions WHERE started_at IS NOT NULL
        UNION ALL SELECT creator_id, status, plan_id, method, -count, -monthly_cents FROM audience_totals)
      GROUP BY creator_id, status, plan_id, method HAVING SUM(people) <> 0 OR SUM(monthly_cents) <> 0`,
  },
  {
    name: "purchases_paid",
    title: "Tudo o que está comprado foi pago, e nada disso voltou",
    sql: () => sql`
      SELECT p.id FROM purchases p LEFT JOIN charges c ON c.id = p.charge_id WHERE p.bought_at IS NOT NULL AND p.ended_at IS NULL AND (
        c.succeeded_at IS NULL OR c.purchase_id <> p.id OR c.payer_id <> p.person_id OR c.amount_cents <> p.amount_cents OR c.status IN ('refunded', 'dispute_lost'))`,
  },
  {
    name: "purchases_answered",
    title: "Cada compra paga está com quem comprou, ou o dinheiro voltou",
    sql: () => sql`
      SELECT c.id FROM charges c LEFT JOIN purchases p ON p.charge_id = c.id
      WHERE c.purchase_kind IN ('post', 'collection') AND c.status IN ('succeeded', 'partially_refunded', 'dispute_won')
        AND NOT (p.id IS NOT NULL AND p.bought_at IS NOT NULL AND (p.ended_at IS NULL OR p.ended_reason = 'buyer_left'))
        AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.charge_id = c.id AND r.status IN ('requested', 'failed'))`,
  },
  {
    name: "bought_once",
    title: "Ninguém tem a mesma compra duas vezes",
    sql: () => sql`
      SELECT person_id, kind, target_id FROM purchases WHERE bought_at IS NOT NULL AND ended_at IS NULL
      GROUP BY person_id, kind, target_id HAVING COUNT(*) > 1`,
  },
  {
    name: "tips_paid",
    title: "Todo apoio dado foi pago, e nada dele voltou inteiro",
    sql: () => sql`
      SELECT t.id FROM tips t LEFT JOIN charges c ON c.id = t.charge_id WHERE t.paid_at IS NOT NULL AND t.ended_at IS NULL AND (
        c.succeeded_at IS NULL OR c.purchase_id <> t.id OR c.payer_id <> t.person_id OR c.creator_id <> t.creator_id OR c.amount_cents <> t.amount_cents OR c.status IN ('refunded', 'dispute_lost'))`,
  },
  {
    name: "tips_answered",
    title: "Cada apoio pago foi dado, ou o dinheiro voltou",
    sql: () => sql`
      SELECT c.id FROM charges c LEFT JOIN tips t ON t.charge_id = c.id
      WHERE c.purchase_kind = 'tip' AND c.status IN ('succeeded', 'partially_refunded', 'dispute_won') AND NOT (t.id IS NOT NULL AND t.paid_at IS NOT NULL AND t.ended_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.charge_id = c.id AND r.status IN ('requested', 'failed'))`,
  },
  {
    name: "gifts_paid",
    title: "Todo presente pago está pago, e nada dele voltou inteiro",
    sql: () => sql`
      SELECT g.id FROM gifts g LEFT JOIN charges c ON c.id = g.charge_id WHERE g.paid_at IS NOT NULL AND g.ended_at IS NULL AND (
        c.succeeded_at IS NULL OR c.purchase_id <> g.id OR c.payer_id <> g.giver_id OR c.creator_id <> g.creator_id OR c.amount_cents <> g.amount_cents OR c.status IN ('refunded', 'dispute_lost'))`,
  },
  {
    name: "gifts_answered",
    title: "Cada presente pago espera, abriu um período, ou o dinheiro voltou",
    sql: () => sql`
      SELECT c.id FROM charges c LEFT JOIN gifts g ON g.charge_id = c.id
      WHERE c.purchase_kind = 'gift' AND c.status IN ('succeeded', 'partially_refunded', 'dispute_won') AND NOT (g.id IS NOT NULL AND g.paid_at IS NOT NULL AND g.ended_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.charge_id = c.id AND r.status IN ('requested', 'failed'))
      UNION ALL
      SELECT g.charge_id FROM gifts g WHERE (g.claimed_at IS NOT NULL) <> EXISTS (SELECT 1 FROM charge_periods p WHERE p.charge_id = g.charge_id AND p.subscription_id = g.id)`,
  },
  {
    name: "gifts_held_back",
    title: "Nada de um presente é liberado antes de alguém resgatar",
    sql: () => sql`
      SELECT c.id FROM gifts g JOIN charges c ON c.id = g.charge_id JOIN ledger_transactions t ON t.charge_id = c.id AND t.kind = 'charge.released' WHERE g.paid_at IS NOT NULL AND g.claimed_at IS NULL`,
  },
  {
    name: "nothing_waits",
    title: "Nada espera há mais de 15 minutos",
    sql: (ctx) => sql`
      SELECT id, 'inbox' AS box FROM inbox WHERE handled_at IS NULL AND quarantined_at IS NULL AND received_at < ${ctx.realNow() - WAITING_LIMIT_MS}
      UNION ALL
      SELECT id, 'outbox' AS box FROM outbox WHERE handled_at IS NULL AND quarantined_at IS NULL AND created_at < ${ctx.realNow() - WAITING_LIMIT_MS}`,
  },
  ...sealInvariants,
  ...looksInvariants,
];

const FINDINGS_SHOWN = 20;

/** What each invariant says, in the words of the staff, in the order in which they are shown. */
export const invariantTitles: readonly { name: string; title: string }[] = invariants.map(({ name, title }) => ({ name, title }));

/** Every invariant with the rows that break it (at most 20 of each); all `rows` are empty while the books are right. */
export async function invariantFindings(ctx: Context): Promise<InvariantFinding[]> {
  return await Promise.all(invariants.map((invariant) => invariantFinding(ctx, invariant, { kind: "whole" })));
}

/** What breaks one invariant. Of one that is asked since a moment, what moved before it is not looked at. */
export async function invariantFinding(ctx: Context, { name, title, sql: query }: Invariant, look: Exclude<Look, { kind: "none" }>): Promise<InvariantFinding> {
  const asked = query(ctx, look.kind === "since" ? movedSince(look.since) : everything);
  return { name, title, isWhole: look.kind === "whole", rows: await ctx.db.all<Record<string, unknown>>(sql`${asked} LIMIT ${FINDINGS_SHOWN}`) };
}

/** `sourceKey` is what made its transaction, such as `refund:<id>:succeeded`. */
export type EntryRow = { accountKind: AccountKind; amountCents: Cents; transactionKind: string; sourceKey: string; postedAt: number | null };

/** Every entry that a charge caused for who paid and who sells, oldest first; debits positive (centavos). What the provider took is the platform's own. */
export function entriesOfCharge(ctx: Context, { chargeId }: { chargeId: string | SQL }) {
  return ctx.db
    .select({
      accountKind: sql<AccountKind>`${ledgerAccounts.kind}`,
      amountCents: ledgerEntries.amountCents,
      transactionKind: ledgerTransactions.kind,
      sourceKey: ledgerTransactions.sourceKey,
      postedAt: ledgerTransactions.postedAt,
    })
    .from(ledgerEntries)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .where(and(eq(ledgerTransactions.chargeId, chargeId), ne(ledgerTransactions.kind, "provider.cost")))
    .orderBy(ledgerTransactions.createdAt, ledgerEntries.id)
    .limit(200);
}

/** Balances of one creator by kind, each positive in its own sense (centavos). Await it, or put it in a page's batch. */
export function creatorBalanceRows({ db }: Pick<Context, "db">, { creatorId }: { creatorId: string | SQL<string> }) {
  const kinds: AccountKind[] = ["creator_pending", "creator_available", "creator_reserved", "creator_owed"];
  return db
    .select({ kind: sql<AccountKind>`${ledgerAccounts.kind}`, cents: sql<Cents>`${ledgerAccounts.balanceCents} * ${ledgerAccounts.normalSide}` })
    .from(ledgerAccounts)
    .where(
      sql`${ledgerAccounts.id} IN (${sql.join(kinds.map((kind) => (typeof creatorId === "string" ? sql`${accountId({ kind, ownerId: creatorId })}` : sql`${accountId({ kind, ownerId: "" })} || ${creatorId}`)), sql`, `)})`,
    );
}

/** What each of these creators owes (centavos), by who they are (`creatorIds`: a query of ids); no row for who never did. For a batch. */
export function owedRows(ctx: Context, { creatorIds, limit }: { creatorIds: SQL; limit: number }) {
  return ctx.db
    .select({ creatorId: sql<string>`${ledgerAccounts.ownerId}`, cents: sql<Cents>`${ledgerAccounts.balanceCents} * ${ledgerAccounts.normalSide}` })
    .from(ledgerAccounts)
    .where(sql`${ledgerAccounts.id} IN (SELECT 'creator_owed:' || creator_id FROM (${creatorIds}))`)
    .limit(limit);
}

/** The balance of `kind` among `rows`, zero for an account that was never used. */
export function balanceOf(rows: readonly { kind: AccountKind; cents: Cents }[], kind: AccountKind): Cents {
  return rows.find((row) => row.kind === kind)?.cents ?? 0;
}
