CREATE TABLE `ledger_seal_progress` (
	`month` text PRIMARY KEY NOT NULL,
	`ends_at` integer NOT NULL,
	`previous_hash` text NOT NULL,
	`hash` text NOT NULL,
	`entries_count` integer NOT NULL,
	`balances` text NOT NULL,
	`after_posted_at` integer,
	`after_transaction_id` text,
	`after_id` text
) STRICT;
--> statement-breakpoint
-- One month at a time is sealed, the one after the last seal, from its beginning; what was hashed of it is not hashed again.
CREATE TRIGGER ledger_seal_progress_insert BEFORE INSERT ON ledger_seal_progress
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only') WHERE EXISTS (SELECT 1 FROM ledger_seal_progress) OR EXISTS (SELECT 1 FROM ledger_seals WHERE month >= NEW.month OR ends_at >= NEW.ends_at);
  SELECT RAISE(ABORT, 'ledger_seal_order') WHERE NEW.previous_hash <> COALESCE((SELECT hash FROM ledger_seals ORDER BY month DESC LIMIT 1), '') OR NEW.entries_count <> 0 OR NEW.after_id IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER ledger_seal_progress_update BEFORE UPDATE ON ledger_seal_progress
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only') WHERE NEW.month <> OLD.month OR NEW.ends_at <> OLD.ends_at OR NEW.previous_hash <> OLD.previous_hash OR NEW.entries_count <= OLD.entries_count;
END;
--> statement-breakpoint
-- A month that is being sealed takes nothing more, as one that is: otherwise what is posted behind a page that was read would be in the month and not in its seal. The rest is of 0076.
DROP TRIGGER ledger_transactions_posted;
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_posted AFTER UPDATE ON ledger_transactions
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only')
    WHERE OLD.posted_at IS NOT NULL OR NEW.posted_at IS NULL OR NEW.posted_at < 0 OR NEW.id <> OLD.id OR NEW.source_key <> OLD.source_key
      OR NEW.kind <> OLD.kind OR NEW.charge_id IS NOT OLD.charge_id OR NEW.payout_id IS NOT OLD.payout_id OR NEW.created_at <> OLD.created_at;
  SELECT RAISE(ABORT, 'ledger_unbalanced')
    WHERE (SELECT COUNT(*) FROM ledger_entries WHERE transaction_id = NEW.id) < 2
      OR (SELECT SUM(amount_cents) FROM ledger_entries WHERE transaction_id = NEW.id) <> 0;
  SELECT RAISE(ABORT, 'ledger_other_time') WHERE EXISTS (SELECT 1 FROM ledger_entries WHERE transaction_id = NEW.id AND posted_at IS NOT NEW.posted_at);
  SELECT RAISE(ABORT, 'ledger_sealed') WHERE EXISTS (SELECT 1 FROM ledger_seals WHERE ends_at > NEW.posted_at) OR EXISTS (SELECT 1 FROM ledger_seal_progress WHERE ends_at > NEW.posted_at);
  UPDATE ledger_transactions SET posted_at = -1 WHERE id = NEW.id;
  -- The `+` keeps SQLite from reading all entries of an account that has most of them.
  UPDATE ledger_accounts
    SET balance_cents = balance_cents + (SELECT SUM(amount_cents) FROM ledger_entries WHERE transaction_id = NEW.id AND +account_id = ledger_accounts.id)
    WHERE id IN (SELECT account_id FROM ledger_entries WHERE transaction_id = NEW.id);
  UPDATE ledger_transactions SET posted_at = NEW.posted_at WHERE id = NEW.id;
END;
