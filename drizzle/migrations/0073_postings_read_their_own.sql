-- A posting adds up its own entries: by (`account_id`, `posted_at`, `id`) it read all of each account that it touches, which are most entries of the platform's own.
-- The `+` keeps SQLite from that index; it knows no statistics by which to choose between two.
DROP TRIGGER ledger_transactions_posted;
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_posted AFTER UPDATE OF posted_at ON ledger_transactions
BEGIN
  UPDATE ledger_accounts
    SET balance_cents = balance_cents + (SELECT SUM(amount_cents) FROM ledger_entries WHERE transaction_id = NEW.id AND +account_id = ledger_accounts.id)
    WHERE id IN (SELECT account_id FROM ledger_entries WHERE transaction_id = NEW.id);
END;
