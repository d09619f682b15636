CREATE TABLE `reconciliation_differences` (
	`id` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`object` text NOT NULL,
	`object_id` text NOT NULL,
	`kind` text NOT NULL,
	`our_id` text,
	`reference` text,
	`ours` text,
	`theirs` text,
	`is_money` integer NOT NULL,
	`gap_cents` integer NOT NULL,
	`state` text NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`resolved_at` integer,
	`resolved_by` text,
	`run_id` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `reconciliation_differences_once` ON `reconciliation_differences` (`provider`,`object`,`object_id`,`kind`);--> statement-breakpoint
CREATE INDEX `reconciliation_differences_open` ON `reconciliation_differences` (`provider`,`id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `reconciliation_differences_listed` ON `reconciliation_differences` (`state`,`first_seen_at`,`id`);--> statement-breakpoint
CREATE INDEX `reconciliation_differences_newest` ON `reconciliation_differences` (`first_seen_at`,`id`);--> statement-breakpoint
CREATE TABLE `reconciliation_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`difference_id` text NOT NULL,
	`person_id` text NOT NULL,
	`note` text NOT NULL,
	`ours` text,
	`theirs` text,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `reconciliation_notes_difference` ON `reconciliation_notes` (`difference_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `reconciliation_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`night` text NOT NULL,
	`since` integer,
	`started_at` integer NOT NULL,
	`step` text NOT NULL,
	`cursor` text,
	`pages_count` integer DEFAULT 0 NOT NULL,
	`listed_count` integer DEFAULT 0 NOT NULL,
	`found_count` integer DEFAULT 0 NOT NULL,
	`repaired_count` integer DEFAULT 0 NOT NULL,
	`finished_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `reconciliation_runs_night` ON `reconciliation_runs` (`provider`,`night`);--> statement-breakpoint
CREATE INDEX `reconciliation_runs_open` ON `reconciliation_runs` (`provider`,`started_at`) WHERE finished_at IS NULL;--> statement-breakpoint
CREATE INDEX `reconciliation_runs_newest` ON `reconciliation_runs` (`started_at`,`id`);--> statement-breakpoint
CREATE TABLE `reconciliation_sightings` (
	`run_id` text NOT NULL,
	`object` text NOT NULL,
	`object_id` text NOT NULL,
	PRIMARY KEY(`run_id`, `object`, `object_id`)
) STRICT;
--> statement-breakpoint
CREATE TRIGGER reconciliation_runs_insert BEFORE INSERT ON reconciliation_runs
BEGIN SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.step NOT IN ('again', 'charges', 'refunds', 'transfers', 'disputes', 'our_charges', 'our_refunds', 'our_transfers', 'forget', 'done'); END;
--> statement-breakpoint
CREATE TRIGGER reconciliation_runs_update BEFORE UPDATE ON reconciliation_runs
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.step NOT IN ('again', 'charges', 'refunds', 'transfers', 'disputes', 'our_charges', 'our_refunds', 'our_transfers', 'forget', 'done');
  SELECT RAISE(ABORT, 'immutable_run') WHERE OLD.finished_at IS NOT NULL OR (NEW.finished_at IS NOT NULL) <> (NEW.step = 'done');
END;
--> statement-breakpoint
CREATE TRIGGER reconciliation_differences_insert BEFORE INSERT ON reconciliation_differences
BEGIN SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.state NOT IN ('open', 'repaired', 'explained') OR (NEW.state = 'open') <> (NEW.resolved_at IS NULL); END;
--> statement-breakpoint
CREATE TRIGGER reconciliation_differences_update BEFORE UPDATE ON reconciliation_differences
BEGIN SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.state NOT IN ('open', 'repaired', 'explained') OR (NEW.state = 'open') <> (NEW.resolved_at IS NULL) OR (NEW.state = 'explained') <> (NEW.resolved_by IS NOT NULL); END;
--> statement-breakpoint
-- Whoever explained a difference answers for it.
CREATE TRIGGER reconciliation_notes_update BEFORE UPDATE ON reconciliation_notes BEGIN SELECT RAISE(ABORT, 'immutable_note'); END;
--> statement-breakpoint
CREATE TRIGGER reconciliation_notes_delete BEFORE DELETE ON reconciliation_notes BEGIN SELECT RAISE(ABORT, 'immutable_note'); END;
