CREATE TABLE `dispute_answers` (
	`dispute_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`text` text NOT NULL,
	`written_by` text NOT NULL,
	`submitted_at` integer,
	`settled_at` integer,
	`failure_code` text,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `dispute_answers_waiting` ON `dispute_answers` (`status`,`submitted_at`) WHERE status IN ('submitted', 'by_hand');--> statement-breakpoint
CREATE TABLE `dispute_files` (
	`id` text PRIMARY KEY NOT NULL,
	`dispute_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`content_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`state` text NOT NULL,
	`added_by` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `dispute_files_dispute` ON `dispute_files` (`dispute_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `dispute_files_one_a_kind` ON `dispute_files` (`dispute_id`,`kind`) WHERE state = 'kept';--> statement-breakpoint
ALTER TABLE `disputes` ADD `creator_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `disputes` ADD `respond_by` integer;--> statement-breakpoint
ALTER TABLE `disputes` ADD `under_review_at` integer;--> statement-breakpoint
ALTER TABLE `disputes` ADD `reminded_at` integer;--> statement-breakpoint
CREATE INDEX `disputes_creator` ON `disputes` (`creator_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `disputes_due` ON `disputes` (`respond_by`) WHERE status = 'open' AND under_review_at IS NULL AND reminded_at IS NULL;--> statement-breakpoint
UPDATE disputes SET creator_id = (SELECT c.creator_id FROM charges c WHERE c.id = disputes.charge_id);
