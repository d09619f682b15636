-- A balance moves while a transaction is posted and at no other moment, whoever asks. While it is posted its `posted_at` is -1, which nothing but this trigger can write: a trigger does
-- not fire itself (and where a connection makes it, posting is refused), so that every other way there meets the guard below. It is one trigger, because another one would fire.
DROP TRIGGER ledger_transactions_post;
--> statement-breakpoint
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
  SELECT RAISE(ABORT, 'ledger_sealed') WHERE EXISTS (SELECT 1 FROM ledger_seals WHERE ends_at > NEW.posted_at);
  UPDATE ledger_transactions SET posted_at = -1 WHERE id = NEW.id;
  -- The `+` keeps SQLite from reading all entries of an account that has most of them.
  UPDATE ledger_accounts
    SET balance_cents = balance_cents + (SELECT SUM(amount_cents) FROM ledger_entries WHERE transaction_id = NEW.id AND +account_id = ledger_accounts.id)
    WHERE id IN (SELECT account_id FROM ledger_entries WHERE transaction_id = NEW.id);
  UPDATE ledger_transactions SET posted_at = NEW.posted_at WHERE id = NEW.id;
END;
--> statement-breakpoint
DROP TRIGGER ledger_accounts_update;
--> statement-breakpoint
CREATE TRIGGER ledger_accounts_update BEFORE UPDATE ON ledger_accounts
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only')
    WHERE NEW.id <> OLD.id OR NEW.kind <> OLD.kind OR NEW.owner_id IS NOT OLD.owner_id OR NEW.normal_side <> OLD.normal_side OR NEW.has_floor <> OLD.has_floor;
  SELECT RAISE(ABORT, 'ledger_balance_by_hand') WHERE NEW.balance_cents <> OLD.balance_cents AND NOT EXISTS (SELECT 1 FROM ledger_transactions WHERE posted_at < 0);
  SELECT RAISE(ABORT, 'ledger_floor') WHERE NEW.has_floor = 1 AND NEW.balance_cents * NEW.normal_side < 0;
END;
--> statement-breakpoint
-- An account is born empty, with the side and the floor of its kind, under the name of its owner. The same list as `accountKinds` of ledger/schema.ts: a test holds the two equal.
DROP TRIGGER ledger_accounts_insert;
--> statement-breakpoint
CREATE TRIGGER ledger_accounts_insert BEFORE INSERT ON ledger_accounts
BEGIN
  SELECT RAISE(ABORT, 'ledger_balance_by_hand') WHERE NEW.balance_cents <> 0;
  SELECT RAISE(ABORT, 'ledger_account') WHERE NEW.id <> NEW.kind || COALESCE(':' || NEW.owner_id, '') OR NOT CASE
    WHEN NEW.kind IN ('provider_clearing', 'platform_cash', 'provider_costs', 'write_offs') THEN NEW.normal_side = 1 AND NEW.has_floor = 0
    WHEN NEW.kind = 'platform_fees' THEN NEW.normal_side = -1 AND NEW.has_floor = 0
    WHEN NEW.kind = 'creator_owed' THEN NEW.normal_side = 1 AND NEW.has_floor = 1
    WHEN NEW.kind IN ('creator_pending', 'creator_available', 'creator_reserved', 'payout_in_transit', 'refund_in_transit', 'fees_reserved') THEN NEW.normal_side = -1 AND NEW.has_floor = 1
    ELSE 0 END;
END;
--> statement-breakpoint
-- INSERT OR REPLACE fires no DELETE trigger: what has entries already was replaced (an account that exists and is left as it is never gets here).
CREATE TRIGGER ledger_accounts_inserted AFTER INSERT ON ledger_accounts
WHEN EXISTS (SELECT 1 FROM ledger_entries WHERE account_id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'ledger_append_only'); END;
--> statement-breakpoint
-- Nor when it takes the place of another row by `rowid`, under a key of its own.
CREATE TRIGGER ledger_accounts_place BEFORE INSERT ON ledger_accounts WHEN EXISTS (SELECT 1 FROM ledger_accounts WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'ledger_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_place BEFORE INSERT ON ledger_transactions WHEN EXISTS (SELECT 1 FROM ledger_transactions WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'ledger_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_place BEFORE INSERT ON ledger_entries WHEN EXISTS (SELECT 1 FROM ledger_entries WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'ledger_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER ledger_seals_place BEFORE INSERT ON ledger_seals WHEN EXISTS (SELECT 1 FROM ledger_seals WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'ledger_append_only'); END;
