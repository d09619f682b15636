CREATE TABLE `account_deletions` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`status` text NOT NULL,
	`requested_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`reminded_at` integer,
	`canceled_at` integer,
	`done_at` integer,
	`letter_to` text,
	`finished_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `account_deletions_one_open` ON `account_deletions` (`person_id`) WHERE status IN ('requested', 'closing');--> statement-breakpoint
CREATE INDEX `account_deletions_due` ON `account_deletions` (`status`,`due_at`);--> statement-breakpoint
CREATE INDEX `account_deletions_person` ON `account_deletions` (`person_id`,`requested_at`);--> statement-breakpoint
CREATE TABLE `moderation_actions` (
	`id` text PRIMARY KEY NOT NULL,
	`moderator_id` text NOT NULL,
	`person_id` text NOT NULL,
	`act` text NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `moderation_actions_person` ON `moderation_actions` (`person_id`,`created_at`);--> statement-breakpoint
DROP INDEX `documents_cpf`;--> statement-breakpoint
ALTER TABLE `documents` ADD `archived_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `documents_cpf` ON `documents` (`cpf`) WHERE status <> 'rejected' AND archived_at IS NULL;--> statement-breakpoint
ALTER TABLE `people` ADD `leaving_at` integer;--> statement-breakpoint
ALTER TABLE `people` ADD `deleted_at` integer;
--> statement-breakpoint
CREATE TRIGGER account_deletions_state_insert BEFORE INSERT ON account_deletions
WHEN NEW.status <> 'requested'
BEGIN SELECT RAISE(ABORT, 'unknown_state'); END;
--> statement-breakpoint
-- requested -> closing -> done, requested -> canceled; nothing else, whoever asks.
CREATE TRIGGER account_deletions_state_update BEFORE UPDATE OF status ON account_deletions
WHEN NOT (OLD.status = NEW.status OR (OLD.status = 'requested' AND NEW.status IN ('closing', 'canceled')) OR (OLD.status = 'closing' AND NEW.status = 'done'))
BEGIN SELECT RAISE(ABORT, 'unknown_state'); END;
--> statement-breakpoint
CREATE TRIGGER moderation_actions_no_update BEFORE UPDATE ON moderation_actions
BEGIN SELECT RAISE(ABORT, 'immutable_log'); END;
--> statement-breakpoint
CREATE TRIGGER moderation_actions_no_delete BEFORE DELETE ON moderation_actions
BEGIN SELECT RAISE(ABORT, 'immutable_log'); END;
