CREATE TABLE `broadcast_recipients` (
	`broadcast_id` text NOT NULL,
	`person_id` text NOT NULL,
	`conversation_id` text,
	`seq` integer,
	PRIMARY KEY(`broadcast_id`, `person_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `broadcast_recipients_person` ON `broadcast_recipients` (`person_id`);--> statement-breakpoint
CREATE TABLE `broadcasts` (
	`id` text PRIMARY KEY NOT NULL,
	`creator_id` text NOT NULL,
	`written_by_id` text,
	`body` text NOT NULL,
	`segment` text NOT NULL,
	`plan_ids` text NOT NULL,
	`state` text NOT NULL,
	`send_at` integer,
	`started_at` integer,
	`ended_at` integer,
	`progress` text,
	`enqueued_until` integer,
	`recipient_count` integer DEFAULT 0 NOT NULL,
	`delivered_count` integer DEFAULT 0 NOT NULL,
	`skipped_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `broadcasts_creator` ON `broadcasts` (`creator_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `broadcasts_day` ON `broadcasts` (`creator_id`,`send_at`) WHERE send_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `broadcasts_due` ON `broadcasts` (`send_at`) WHERE state = 'scheduled';--> statement-breakpoint
CREATE INDEX `broadcasts_sending` ON `broadcasts` (`enqueued_until`) WHERE state = 'sending';--> statement-breakpoint
ALTER TABLE `message_settings` ADD `writer_plan_ids` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `message_settings` ADD `shows_reads` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `message_settings` ADD `shows_presence` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `media_id` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `is_sensitive` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `recording` text;--> statement-breakpoint
CREATE INDEX `messages_media` ON `messages` (`media_id`) WHERE media_id IS NOT NULL;
--> statement-breakpoint
-- Files of messages count as used, until the message is deleted.
CREATE TRIGGER messages_media_not_swept BEFORE INSERT ON messages WHEN NEW.media_id IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'immutable_media_swept') WHERE EXISTS (SELECT 1 FROM media WHERE id = NEW.media_id AND swept_at IS NOT NULL); END;
--> statement-breakpoint
CREATE TRIGGER messages_media_used AFTER INSERT ON messages WHEN NEW.media_id IS NOT NULL
BEGIN UPDATE media SET unused_since = NULL WHERE id = NEW.media_id AND unused_since IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER messages_media_let_go AFTER UPDATE OF media_id ON messages WHEN OLD.media_id IS NOT NULL AND NEW.media_id IS NOT OLD.media_id
BEGIN UPDATE media SET unused_since = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE id = OLD.media_id; END;
