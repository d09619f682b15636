-- UPDATE OR REPLACE that moves a row to another's `rowid` takes that one out, and fires no DELETE trigger.
CREATE TRIGGER ledger_accounts_moved BEFORE UPDATE ON ledger_accounts WHEN NEW.rowid <> OLD.rowid
BEGIN SELECT RAISE(ABORT, 'ledger_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_moved BEFORE UPDATE ON ledger_transactions WHEN NEW.rowid <> OLD.rowid
BEGIN SELECT RAISE(ABORT, 'ledger_append_only'); END;
