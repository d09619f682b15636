CREATE TABLE `moderation_appeals` (
	`case_id` text PRIMARY KEY NOT NULL,
	`author_id` text NOT NULL,
	`words` text NOT NULL,
	`created_at` integer NOT NULL,
	`outcome` text,
	`outcome_reason` text DEFAULT '' NOT NULL,
	`decided_by` text,
	`decided_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `moderation_appeals_waiting` ON `moderation_appeals` (`created_at`,`case_id`) WHERE decided_at IS NULL;--> statement-breakpoint
CREATE INDEX `moderation_appeals_author` ON `moderation_appeals` (`author_id`);--> statement-breakpoint
CREATE TABLE `report_cases` (
	`id` text PRIMARY KEY NOT NULL,
	`subject_kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`author_id` text NOT NULL,
	`reports_count` integer NOT NULL,
	`is_urgent` integer NOT NULL,
	`opened_at` integer NOT NULL,
	`claimed_by` text,
	`claimed_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`decision` text,
	`rule` text,
	`decision_reason` text DEFAULT '' NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	`suspended_until` integer,
	`reversed_at` integer,
	`erased_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `report_cases_open` ON `report_cases` (`subject_kind`,`subject_id`) WHERE decided_at IS NULL;--> statement-breakpoint
CREATE INDEX `report_cases_queue` ON `report_cases` (`is_urgent`,`opened_at`,`id`) WHERE decided_at IS NULL;--> statement-breakpoint
CREATE INDEX `report_cases_author` ON `report_cases` (`author_id`,`opened_at`);--> statement-breakpoint
CREATE INDEX `report_cases_suspended` ON `report_cases` (`suspended_until`) WHERE suspended_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX `report_cases_retained` ON `report_cases` (`decided_at`,`id`) WHERE decided_at IS NOT NULL AND erased_at IS NULL;--> statement-breakpoint
CREATE INDEX `report_cases_decided` ON `report_cases` (`decided_at`,`id`) WHERE decided_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `report_media` (
	`case_id` text NOT NULL,
	`media_id` text NOT NULL,
	PRIMARY KEY(`case_id`, `media_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `report_media_media` ON `report_media` (`media_id`);--> statement-breakpoint
CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`case_id` text NOT NULL,
	`reporter_id` text,
	`reason` text NOT NULL,
	`details` text DEFAULT '' NOT NULL,
	`evidence` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `reports_once` ON `reports` (`case_id`,`reporter_id`);--> statement-breakpoint
CREATE INDEX `reports_reporter` ON `reports` (`reporter_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `reports_case` ON `reports` (`case_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `comments` ADD `held_at` integer;--> statement-breakpoint
ALTER TABLE `moderation_actions` ADD `case_id` text;--> statement-breakpoint
CREATE INDEX `moderation_actions_case` ON `moderation_actions` (`case_id`,`created_at`) WHERE case_id IS NOT NULL;--> statement-breakpoint
-- Evidence stays as it was when somebody reported, until it is erased.
CREATE TRIGGER reports_evidence BEFORE UPDATE OF evidence, case_id, reason, created_at ON reports
WHEN (NEW.evidence <> OLD.evidence AND NEW.evidence <> '') OR NEW.case_id <> OLD.case_id OR NEW.reason <> OLD.reason OR NEW.created_at <> OLD.created_at
BEGIN SELECT RAISE(ABORT, 'immutable_evidence'); END;
--> statement-breakpoint
CREATE TRIGGER report_cases_decided_once BEFORE UPDATE OF decision, decided_by, decided_at, rule ON report_cases
WHEN OLD.decided_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'immutable_decision'); END;
--> statement-breakpoint
CREATE TRIGGER moderation_appeals_decided_once BEFORE UPDATE OF outcome, decided_by, decided_at ON moderation_appeals
WHEN OLD.decided_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'immutable_decision'); END;
--> statement-breakpoint
-- Files of evidence count as used.
CREATE TRIGGER report_media_not_swept BEFORE INSERT ON report_media
BEGIN SELECT RAISE(ABORT, 'immutable_media_swept') WHERE EXISTS (SELECT 1 FROM media WHERE id = NEW.media_id AND swept_at IS NOT NULL); END;
--> statement-breakpoint
CREATE TRIGGER report_media_used AFTER INSERT ON report_media
BEGIN UPDATE media SET unused_since = NULL WHERE id = NEW.media_id AND unused_since IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER report_media_let_go AFTER DELETE ON report_media
BEGIN UPDATE media SET unused_since = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE id = OLD.media_id; END;
