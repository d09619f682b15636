CREATE TABLE `tips` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`creator_id` text NOT NULL,
	`charge_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`message` text NOT NULL,
	`created_at` integer NOT NULL,
	`paid_at` integer,
	`ended_at` integer,
	`ended_reason` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `tips_one_open` ON `tips` (`person_id`,`creator_id`) WHERE paid_at IS NULL AND ended_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `tips_charge` ON `tips` (`charge_id`);--> statement-breakpoint
CREATE INDEX `tips_between` ON `tips` (`person_id`,`creator_id`,`paid_at`);--> statement-breakpoint
CREATE INDEX `tips_to` ON `tips` (`creator_id`);
--> statement-breakpoint
-- A tip is paid by its own charge, once that succeeded; it ends once; what was agreed never changes, and its message only until it is read, or to nothing.
CREATE TRIGGER tips_insert BEFORE INSERT ON tips
BEGIN
  SELECT RAISE(ABORT, 'immutable_tip_unpaid') WHERE NEW.paid_at IS NOT NULL OR NEW.ended_at IS NOT NULL OR NEW.ended_reason IS NOT NULL;
  SELECT RAISE(ABORT, 'immutable_tip_amount') WHERE NEW.amount_cents < 500 OR NEW.amount_cents > 500000;
END;
--> statement-breakpoint
CREATE TRIGGER tips_update BEFORE UPDATE ON tips
BEGIN
  SELECT RAISE(ABORT, 'immutable_tip') WHERE NEW.id <> OLD.id OR NEW.person_id <> OLD.person_id OR NEW.creator_id <> OLD.creator_id OR NEW.charge_id <> OLD.charge_id
    OR NEW.amount_cents <> OLD.amount_cents OR NEW.created_at <> OLD.created_at OR (OLD.paid_at IS NOT NULL AND NEW.message <> OLD.message AND NEW.message <> '');
  SELECT RAISE(ABORT, 'immutable_tip_ended') WHERE OLD.paid_at IS NOT NULL AND (NEW.paid_at IS NOT OLD.paid_at OR (OLD.ended_at IS NOT NULL AND NEW.ended_at IS NOT OLD.ended_at));
  SELECT RAISE(ABORT, 'immutable_tip_unpaid') WHERE NEW.paid_at IS NOT NULL AND OLD.paid_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM charges c WHERE c.id = NEW.charge_id AND c.purchase_kind = 'tip' AND c.purchase_id = NEW.id AND c.payer_id = NEW.person_id AND c.creator_id = NEW.creator_id AND c.amount_cents = NEW.amount_cents AND c.succeeded_at IS NOT NULL);
  SELECT RAISE(ABORT, 'unknown_state') WHERE (NEW.ended_at IS NULL) <> (NEW.ended_reason IS NULL)
    OR NEW.ended_reason NOT IN ('unpaid', 'given_back', 'regret', 'refunded', 'dispute_lost');
END;
--> statement-breakpoint
CREATE TRIGGER tips_no_delete BEFORE DELETE ON tips
BEGIN SELECT RAISE(ABORT, 'immutable_tip'); END;
