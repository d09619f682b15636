CREATE TABLE `ledger_account_months` (
	`month` text NOT NULL,
	`account_id` text NOT NULL,
	`cents` integer NOT NULL,
	PRIMARY KEY(`month`, `account_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO ledger_account_months (month, account_id, cents)
SELECT s.month, e.account_id, SUM(e.amount_cents)
FROM ledger_seals s
JOIN ledger_transactions t ON t.posted_at < s.ends_at AND t.posted_at >= COALESCE((SELECT MAX(before.ends_at) FROM ledger_seals before WHERE before.ends_at < s.ends_at), 0)
JOIN ledger_entries e ON e.transaction_id = t.id
GROUP BY s.month, e.account_id;
--> statement-breakpoint
-- A month that is being sealed begins again: what was read of it was not kept by account.
DELETE FROM ledger_seal_progress;
--> statement-breakpoint
-- Sealed with its month, and after that as little changed as its entries.
CREATE TRIGGER ledger_account_months_insert BEFORE INSERT ON ledger_account_months
BEGIN SELECT RAISE(ABORT, 'ledger_append_only') WHERE NOT EXISTS (SELECT 1 FROM ledger_seal_progress WHERE month = NEW.month); END;
--> statement-breakpoint
CREATE TRIGGER ledger_account_months_update BEFORE UPDATE ON ledger_account_months
BEGIN SELECT RAISE(ABORT, 'ledger_append_only') WHERE NEW.month <> OLD.month OR NEW.account_id <> OLD.account_id OR NOT EXISTS (SELECT 1 FROM ledger_seal_progress WHERE month = NEW.month); END;
--> statement-breakpoint
CREATE TRIGGER ledger_account_months_delete BEFORE DELETE ON ledger_account_months
BEGIN SELECT RAISE(ABORT, 'ledger_append_only'); END;
