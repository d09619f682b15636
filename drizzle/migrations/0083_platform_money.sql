CREATE TABLE `platform_withdrawals` (
	`id` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`moved_on` text NOT NULL,
	`note` text NOT NULL,
	`state` text NOT NULL,
	`asked_by` text NOT NULL,
	`asked_at` integer NOT NULL,
	`decided_by` text,
	`decided_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `platform_withdrawals_state` ON `platform_withdrawals` (`state`,`asked_at`);--> statement-breakpoint
ALTER TABLE `provider_moves` ADD `moved_on` text;--> statement-breakpoint
ALTER TABLE `provider_moves` ADD `own_cents` integer;--> statement-breakpoint
-- What is the platform's of all that the providers hold, in centavos: everything less what is somebody else's, written by the few accounts that the sum of all
-- accounts leaves (it is zero). What creators owe did not come yet; the fee of a refund that was asked for is its payer's.
CREATE VIEW `platform_own` AS SELECT
  - COALESCE((SELECT SUM(a.balance_cents) FROM ledger_accounts a WHERE a.id IN ('platform_fees', 'provider_costs', 'write_offs', 'platform_cash')), 0)
  - COALESCE((SELECT SUM(a.balance_cents) FROM ledger_accounts a WHERE a.id >= 'creator_owed:' AND a.id < 'creator_owed;'), 0)
  - COALESCE((SELECT SUM(r.fee_share_cents) FROM refunds r WHERE r.status = 'requested'), 0) AS cents;
--> statement-breakpoint
CREATE TRIGGER platform_withdrawals_insert BEFORE INSERT ON platform_withdrawals
BEGIN
  SELECT RAISE(ABORT, 'immutable_platform_withdrawal') WHERE NEW.amount_cents <= 0 OR NEW.state <> 'asked' OR NEW.decided_by IS NOT NULL OR NEW.decided_at IS NOT NULL OR EXISTS (SELECT 1 FROM platform_withdrawals w WHERE w.id = NEW.id);
END;
--> statement-breakpoint
-- Decided once, and nothing else of it changes; it is approved by somebody else than whoever asked.
CREATE TRIGGER platform_withdrawals_update BEFORE UPDATE ON platform_withdrawals
BEGIN
  SELECT RAISE(ABORT, 'immutable_platform_withdrawal') WHERE OLD.state <> 'asked' OR NEW.state NOT IN ('approved', 'refused') OR NEW.decided_by IS NULL OR NEW.decided_at IS NULL
    OR NEW.id <> OLD.id OR NEW.provider <> OLD.provider OR NEW.amount_cents <> OLD.amount_cents OR NEW.moved_on <> OLD.moved_on OR NEW.note <> OLD.note OR NEW.asked_by <> OLD.asked_by OR NEW.asked_at <> OLD.asked_at;
  SELECT RAISE(ABORT, 'ledger_same_person') WHERE NEW.state = 'approved' AND NEW.decided_by = NEW.asked_by;
END;
--> statement-breakpoint
CREATE TRIGGER platform_withdrawals_no_delete BEFORE DELETE ON platform_withdrawals
BEGIN SELECT RAISE(ABORT, 'immutable_platform_withdrawal'); END;
--> statement-breakpoint
DROP TRIGGER provider_moves_insert;
--> statement-breakpoint
-- Never more leaves a provider than the books say is there, nor more for the platform than is its own: two of the staff at once do not move the same money.
CREATE TRIGGER provider_moves_insert BEFORE INSERT ON provider_moves
BEGIN
  SELECT RAISE(ABORT, 'immutable_provider_move') WHERE NEW.amount_cents <= 0 OR NEW.from_provider = NEW.to_provider OR EXISTS (SELECT 1 FROM provider_moves m WHERE m.id = NEW.id)
    OR ('platform_cash' IN (NEW.from_provider, NEW.to_provider)) <> (NEW.moved_on IS NOT NULL) OR (NEW.to_provider = 'platform_cash') <> (NEW.own_cents IS NOT NULL)
    OR (NEW.to_provider = 'platform_cash' AND NOT EXISTS (SELECT 1 FROM platform_withdrawals w
      WHERE w.id = NEW.id AND w.state = 'approved' AND w.decided_by <> w.asked_by AND w.amount_cents = NEW.amount_cents AND w.provider = NEW.from_provider));
  SELECT RAISE(ABORT, 'ledger_holds_less') WHERE NEW.from_provider <> 'platform_cash' AND NEW.amount_cents > COALESCE((SELECT a.balance_cents FROM ledger_accounts a WHERE a.id = 'provider_clearing:' || NEW.from_provider), 0);
  SELECT RAISE(ABORT, 'ledger_not_own') WHERE NEW.to_provider = 'platform_cash' AND (NEW.own_cents IS NOT (SELECT o.cents FROM platform_own o) OR NEW.amount_cents > NEW.own_cents);
END;
