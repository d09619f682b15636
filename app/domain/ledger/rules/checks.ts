/** The invariants that say where money is. While one of them is broken no payout leaves: money that went out does not come back by itself. */
const OF_MONEY = new Set(["transactions_balance", "transactions_posted", "balances_cached", "balances_floor", "books_balance", "charges_split", "charges_posted", "providers_apart", "providers_hold", "refunds_within_charge", "releases_whole", "pending_by_charge", "reserved_by_dispute", "payouts_claimed", "payouts_known", "refund_transfers_known", "refunds_go_once", "provider_moves_posted"]);

/** Whether a broken invariant holds payouts. Source: issue 6, "Ledger". */
export const holdsPayouts = (name: string): boolean => OF_MONEY.has(name);

/** What is told of an invariant that breaks is told once, until it holds again. */
export const breaksNow = (brokenCount: number, before: { brokenCount: number } | undefined): boolean => brokenCount > 0 && (before?.brokenCount ?? 0) === 0;
