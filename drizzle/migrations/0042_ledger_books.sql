CREATE TABLE `ledger_checks` (
	`name` text PRIMARY KEY NOT NULL,
	`checked_at` integer NOT NULL,
	`broken_count` integer NOT NULL,
	`example` text,
	`broken_since` integer,
	`holds_payouts` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `ledger_seals` (
	`month` text PRIMARY KEY NOT NULL,
	`ends_at` integer NOT NULL,
	`entries_count` integer NOT NULL,
	`previous_hash` text NOT NULL,
	`hash` text NOT NULL,
	`balances` text NOT NULL,
	`sealed_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
DROP INDEX `ledger_entries_account`;--> statement-breakpoint
ALTER TABLE `ledger_entries` ADD `posted_at` integer;--> statement-breakpoint
CREATE INDEX `ledger_entries_statement` ON `ledger_entries` (`account_id`,`posted_at`,`id`);--> statement-breakpoint
CREATE INDEX `ledger_transactions_posted` ON `ledger_transactions` (`posted_at`,`id`);--> statement-breakpoint
-- What was posted before takes its transaction's moment; the one time that an entry is written over.
DROP TRIGGER ledger_entries_no_update;
--> statement-breakpoint
UPDATE ledger_entries SET posted_at = (SELECT posted_at FROM ledger_transactions WHERE ledger_transactions.id = ledger_entries.transaction_id);
--> statement-breakpoint
CREATE TRIGGER ledger_entries_no_update BEFORE UPDATE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'ledger_append_only'); END;
--> statement-breakpoint
DROP TRIGGER ledger_transactions_post;
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_post BEFORE UPDATE ON ledger_transactions
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only')
    WHERE OLD.posted_at IS NOT NULL OR NEW.posted_at IS NULL OR NEW.id <> OLD.id OR NEW.source_key <> OLD.source_key
      OR NEW.kind <> OLD.kind OR NEW.charge_id IS NOT OLD.charge_id OR NEW.payout_id IS NOT OLD.payout_id OR NEW.created_at <> OLD.created_at;
  SELECT RAISE(ABORT, 'ledger_unbalanced')
    WHERE (SELECT COUNT(*) FROM ledger_entries WHERE transaction_id = NEW.id) < 2
      OR (SELECT SUM(amount_cents) FROM ledger_entries WHERE transaction_id = NEW.id) <> 0;
  SELECT RAISE(ABORT, 'ledger_other_time') WHERE EXISTS (SELECT 1 FROM ledger_entries WHERE transaction_id = NEW.id AND posted_at IS NOT NEW.posted_at);
  SELECT RAISE(ABORT, 'ledger_sealed') WHERE EXISTS (SELECT 1 FROM ledger_seals WHERE ends_at > NEW.posted_at);
END;
--> statement-breakpoint
-- A seal is never taken back, and continues the last one.
CREATE TRIGGER ledger_seals_no_update BEFORE UPDATE ON ledger_seals
BEGIN SELECT RAISE(ABORT, 'ledger_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER ledger_seals_no_delete BEFORE DELETE ON ledger_seals
BEGIN SELECT RAISE(ABORT, 'ledger_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER ledger_seals_insert BEFORE INSERT ON ledger_seals
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only') WHERE EXISTS (SELECT 1 FROM ledger_seals WHERE month = NEW.month OR ends_at >= NEW.ends_at);
  SELECT RAISE(ABORT, 'ledger_seal_order') WHERE NEW.previous_hash <> COALESCE((SELECT hash FROM ledger_seals ORDER BY month DESC LIMIT 1), '');
  SELECT RAISE(ABORT, 'ledger_seal_early') WHERE NEW.ends_at > NEW.sealed_at;
END;
