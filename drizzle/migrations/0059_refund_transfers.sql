CREATE TABLE `refund_transfers` (
	`id` text PRIMARY KEY NOT NULL,
	`refund_id` text NOT NULL,
	`charge_id` text NOT NULL,
	`payer_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`status` text NOT NULL,
	`pix_key_kind` text,
	`pix_key` text,
	`provider` text,
	`provider_transfer_id` text,
	`failure_code` text,
	`held_by` text,
	`reminders_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`key_given_at` integer,
	`settled_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `refund_transfers_one_open` ON `refund_transfers` (`refund_id`) WHERE status IN ('awaiting_key', 'ready', 'claimed', 'sent');--> statement-breakpoint
CREATE UNIQUE INDEX `refund_transfers_transfer` ON `refund_transfers` (`provider`,`provider_transfer_id`);--> statement-breakpoint
CREATE INDEX `refund_transfers_refund` ON `refund_transfers` (`refund_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `refund_transfers_charge` ON `refund_transfers` (`charge_id`);--> statement-breakpoint
CREATE INDEX `refund_transfers_payer` ON `refund_transfers` (`payer_id`);--> statement-breakpoint
CREATE INDEX `refund_transfers_open` ON `refund_transfers` (`status`,`created_at`) WHERE status IN ('awaiting_key', 'ready', 'claimed', 'sent');
--> statement-breakpoint
-- Money goes back once: a refund that goes by a Pix of ours was never taken by its provider, is decided, and has this amount.
CREATE TRIGGER refund_transfers_insert BEFORE INSERT ON refund_transfers
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.status <> 'awaiting_key';
  SELECT RAISE(ABORT, 'immutable_refund_twice') WHERE EXISTS (SELECT 1 FROM refund_transfers x WHERE x.id = NEW.id)
    OR NOT EXISTS (SELECT 1 FROM refunds r WHERE r.id = NEW.refund_id AND r.charge_id = NEW.charge_id AND r.amount_cents = NEW.amount_cents AND r.status = 'succeeded' AND r.provider_refund_id IS NULL)
    OR EXISTS (SELECT 1 FROM refund_transfers x WHERE x.refund_id = NEW.refund_id AND x.status IN ('paid', 'canceled'));
END;
--> statement-breakpoint
CREATE TRIGGER refund_transfers_update BEFORE UPDATE ON refund_transfers
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.status <> OLD.status AND NOT (
    (OLD.status = 'awaiting_key' AND NEW.status IN ('ready', 'canceled')) OR (OLD.status = 'ready' AND NEW.status IN ('claimed', 'canceled'))
    OR (OLD.status = 'claimed' AND NEW.status IN ('sent', 'paid', 'failed')) OR (OLD.status = 'sent' AND NEW.status IN ('paid', 'failed')) OR (OLD.status = 'paid' AND NEW.status = 'returned'));
  SELECT RAISE(ABORT, 'immutable_refund_transfer') WHERE NEW.id <> OLD.id OR NEW.refund_id <> OLD.refund_id OR NEW.charge_id <> OLD.charge_id OR NEW.payer_id <> OLD.payer_id OR NEW.amount_cents <> OLD.amount_cents
    OR (OLD.status NOT IN ('awaiting_key', 'ready') AND (NEW.provider IS NOT OLD.provider OR NEW.held_by IS NOT OLD.held_by OR (NEW.pix_key IS NOT NULL AND NEW.pix_key IS NOT OLD.pix_key)));
  SELECT RAISE(ABORT, 'immutable_refund_transfer') WHERE NEW.status = 'claimed' AND OLD.status = 'ready' AND (NEW.held_by IS NOT NULL OR NEW.pix_key IS NULL OR NEW.pix_key_kind IS NULL OR NEW.provider IS NULL);
END;
--> statement-breakpoint
CREATE TRIGGER refund_transfers_no_delete BEFORE DELETE ON refund_transfers
BEGIN SELECT RAISE(ABORT, 'immutable_refund_transfer'); END;
--> statement-breakpoint
CREATE TRIGGER refunds_by_transfer BEFORE UPDATE ON refunds WHEN EXISTS (SELECT 1 FROM refund_transfers x WHERE x.refund_id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'immutable_refund_twice') WHERE NEW.provider_refund_id IS NOT NULL OR NEW.status <> 'succeeded' OR NEW.amount_cents <> OLD.amount_cents; END;
--> statement-breakpoint
CREATE TABLE `provider_moves` (
	`id` text PRIMARY KEY NOT NULL,
	`from_provider` text NOT NULL,
	`to_provider` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`note` text NOT NULL,
	`moved_by` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `provider_moves_latest` ON `provider_moves` (`created_at`);
--> statement-breakpoint
-- Never more leaves a provider than the books say is there: two of the staff at once do not move the same money.
CREATE TRIGGER provider_moves_insert BEFORE INSERT ON provider_moves
BEGIN
  SELECT RAISE(ABORT, 'immutable_provider_move') WHERE NEW.amount_cents <= 0 OR NEW.from_provider = NEW.to_provider OR EXISTS (SELECT 1 FROM provider_moves m WHERE m.id = NEW.id);
  SELECT RAISE(ABORT, 'ledger_holds_less') WHERE NEW.amount_cents > COALESCE((SELECT a.balance_cents FROM ledger_accounts a WHERE a.id = 'provider_clearing:' || NEW.from_provider), 0);
END;
--> statement-breakpoint
CREATE TRIGGER provider_moves_no_update BEFORE UPDATE ON provider_moves
BEGIN SELECT RAISE(ABORT, 'immutable_provider_move'); END;
--> statement-breakpoint
CREATE TRIGGER provider_moves_no_delete BEFORE DELETE ON provider_moves
BEGIN SELECT RAISE(ABORT, 'immutable_provider_move'); END;
