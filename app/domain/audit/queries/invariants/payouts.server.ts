import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";

const IN_TRANSIT = sql`'payout_in_transit:' || p.id`;
const AVAILABLE = sql`'creator_available:' || p.creator_id`;

/**
 * SQL of the amount that the posting of a payout's end has on an account; null where there is no
 * such posting.
 */
const booked = (end: "paid" | "failed" | "returned" | "paid_after_all", account: SQL): SQL =>
  sql`(SELECT e.amount_cents FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id AND +e.account_id = ${account} WHERE t.source_key = 'payout:' || p.id || ${`:${end}`})`;

/**
 * SQL of the amount of a reversed payout that its provider paid after all
 * (docs/decisions/money/never-send-the-same-money-twice.md).
 */
const AFTER_ALL = booked("paid_after_all", sql`'provider_clearing:' || p.provider`);

/** Invariants of payouts and of the money on its way. */
export const payoutInvariants: readonly Invariant[] = [
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
    title:
      "Cada dinheiro a caminho pertence a um saque, e o fim de cada saque é o do seu lançamento",
    sql: (_, moved) => sql`
      SELECT a.id FROM ledger_accounts a LEFT JOIN payouts p ON p.id = a.owner_id
      WHERE a.kind = 'payout_in_transit' AND ${moved.payout(sql`a.owner_id`)} AND (p.id IS NULL
        OR (p.status IN ('claimed', 'sent') AND -a.balance_cents <> p.amount_cents)
        OR (p.status NOT IN ('claimed', 'sent') AND a.balance_cents <> 0)
        OR (${AFTER_ALL} IS NULL AND (
             ${booked("paid", IN_TRANSIT)} IS NOT CASE WHEN p.status IN ('paid', 'returned') THEN p.amount_cents END
          OR ${booked("failed", IN_TRANSIT)} IS NOT CASE WHEN p.status = 'failed' THEN p.amount_cents END
          OR ${booked("returned", AVAILABLE)} IS NOT CASE WHEN p.status = 'returned' THEN -p.amount_cents END))
        OR (${AFTER_ALL} IS NOT NULL AND NOT (-${AFTER_ALL} = p.amount_cents AND (
             (${booked("failed", IN_TRANSIT)} IS p.amount_cents AND ${booked("paid", IN_TRANSIT)} IS NULL AND p.status IN ('paid', 'returned') AND ${booked("returned", AVAILABLE)} IS CASE WHEN p.status = 'returned' THEN -p.amount_cents END)
          OR (${booked("paid", IN_TRANSIT)} IS p.amount_cents AND ${booked("failed", IN_TRANSIT)} IS NULL AND p.status = 'paid' AND ${booked("returned", AVAILABLE)} IS -p.amount_cents)))))`,
  },
];
