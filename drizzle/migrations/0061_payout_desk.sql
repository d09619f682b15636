CREATE TABLE `payout_acts` (
	`id` text PRIMARY KEY NOT NULL,
	`payout_id` text NOT NULL,
	`moderator_id` text NOT NULL,
	`act` text NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `payout_acts_payout` ON `payout_acts` (`payout_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `payout_batches` (
	`id` text PRIMARY KEY NOT NULL,
	`day` text NOT NULL,
	`started_at` integer NOT NULL,
	`cursor` text,
	`finished_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payout_batches_day_unique` ON `payout_batches` (`day`);--> statement-breakpoint
CREATE TABLE `payout_holds` (
	`id` text PRIMARY KEY NOT NULL,
	`creator_id` text NOT NULL,
	`reason` text NOT NULL,
	`held_by` text NOT NULL,
	`held_at` integer NOT NULL,
	`ended_by` text,
	`ended_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payout_holds_one` ON `payout_holds` (`creator_id`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `payout_holds_creator` ON `payout_holds` (`creator_id`,`held_at`);--> statement-breakpoint
ALTER TABLE `payouts` ADD `held_reason` text;--> statement-breakpoint
ALTER TABLE `payouts` ADD `held_until` integer;--> statement-breakpoint
ALTER TABLE `payouts` ADD `approved_by` text;--> statement-breakpoint
ALTER TABLE `payouts` ADD `approved_cents` integer;--> statement-breakpoint
CREATE INDEX `payouts_batch` ON `payouts` (`batch_id`) WHERE batch_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payouts_held` ON `payouts` (`held_reason`,`requested_at`) WHERE status = 'held';--> statement-breakpoint
CREATE TRIGGER payouts_desk BEFORE UPDATE ON payouts
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.status = 'held' AND (NEW.held_reason IS NULL OR NEW.held_reason NOT IN ('documents', 'changed_method', 'moderation', 'approval'));
  SELECT RAISE(ABORT, 'immutable_sent') WHERE NEW.status = 'canceled' AND OLD.status NOT IN ('requested', 'held', 'canceled');
  SELECT RAISE(ABORT, 'immutable_hold') WHERE NEW.status = 'claimed' AND OLD.status IN ('requested', 'held') AND EXISTS (SELECT 1 FROM payout_holds h WHERE h.creator_id = NEW.creator_id AND h.ended_at IS NULL);
  SELECT RAISE(ABORT, 'immutable_approval') WHERE NEW.status = 'claimed' AND OLD.status IN ('requested', 'held') AND NEW.approved_cents IS NOT NULL AND NEW.amount_cents > NEW.approved_cents;
  SELECT RAISE(ABORT, 'immutable_approver') WHERE NEW.approved_by IS NOT NULL AND (NEW.approved_by = NEW.creator_id OR NEW.approved_by IS NEW.acted_by);
END;
--> statement-breakpoint
CREATE TRIGGER payout_holds_update BEFORE UPDATE ON payout_holds
BEGIN
  SELECT RAISE(ABORT, 'immutable_hold') WHERE OLD.ended_at IS NOT NULL OR NEW.id <> OLD.id OR NEW.creator_id <> OLD.creator_id OR NEW.reason <> OLD.reason OR NEW.held_by <> OLD.held_by OR NEW.held_at <> OLD.held_at;
END;
--> statement-breakpoint
CREATE TRIGGER payout_holds_no_delete BEFORE DELETE ON payout_holds
BEGIN SELECT RAISE(ABORT, 'immutable_log'); END;
--> statement-breakpoint
CREATE TRIGGER payout_acts_no_update BEFORE UPDATE ON payout_acts
BEGIN SELECT RAISE(ABORT, 'immutable_log'); END;
--> statement-breakpoint
CREATE TRIGGER payout_acts_no_delete BEFORE DELETE ON payout_acts
BEGIN SELECT RAISE(ABORT, 'immutable_log'); END;
