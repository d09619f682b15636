CREATE TABLE `fee_overrides` (
	`id` text PRIMARY KEY NOT NULL,
	`creator_id` text NOT NULL,
	`basis_points` integer,
	`starts_at` integer NOT NULL,
	`note` text NOT NULL,
	`set_by` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `fee_overrides_creator` ON `fee_overrides` (`creator_id`,`starts_at`,`id`);--> statement-breakpoint
CREATE TRIGGER fee_overrides_insert BEFORE INSERT ON fee_overrides
WHEN NEW.basis_points < 0 OR NEW.basis_points > 10000
BEGIN SELECT RAISE(ABORT, 'immutable_fee'); END;
--> statement-breakpoint
CREATE TRIGGER fee_overrides_no_update BEFORE UPDATE ON fee_overrides
BEGIN SELECT RAISE(ABORT, 'immutable_log'); END;
--> statement-breakpoint
CREATE TRIGGER fee_overrides_no_delete BEFORE DELETE ON fee_overrides
BEGIN SELECT RAISE(ABORT, 'immutable_log'); END;
--> statement-breakpoint
DROP TRIGGER payout_holds_update;
--> statement-breakpoint
CREATE TRIGGER payout_holds_update BEFORE UPDATE ON payout_holds
BEGIN
  SELECT RAISE(ABORT, 'immutable_hold') WHERE OLD.ended_at IS NOT NULL OR NEW.id <> OLD.id OR NEW.creator_id <> OLD.creator_id OR NEW.reason <> OLD.reason OR NEW.held_by <> OLD.held_by OR NEW.held_at <> OLD.held_at OR NEW.ended_by IS OLD.creator_id;
END;
