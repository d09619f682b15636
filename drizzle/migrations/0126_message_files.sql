CREATE TABLE `message_files` (
	`files_id` text NOT NULL,
	`position` integer NOT NULL,
	`media_id` text NOT NULL,
	PRIMARY KEY(`files_id`, `position`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `message_files_media` ON `message_files` (`media_id`);
--> statement-breakpoint
ALTER TABLE `messages` ADD `files_id` text;
--> statement-breakpoint
INSERT INTO `message_files` (`files_id`, `position`, `media_id`) SELECT `id`, 0, `media_id` FROM `messages` WHERE `media_id` IS NOT NULL;
--> statement-breakpoint
DROP TRIGGER messages_media_not_swept;
--> statement-breakpoint
DROP TRIGGER messages_media_used;
--> statement-breakpoint
DROP TRIGGER messages_media_released;
--> statement-breakpoint
DROP TRIGGER messages_price_insert;
--> statement-breakpoint
UPDATE `messages` SET `files_id` = `id` WHERE `media_id` IS NOT NULL;
--> statement-breakpoint
DROP INDEX `messages_media`;
--> statement-breakpoint
ALTER TABLE `messages` DROP COLUMN `media_id`;
--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `is_sensitive` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `price_cents` integer;
--> statement-breakpoint
CREATE TRIGGER messages_price_insert BEFORE INSERT ON messages WHEN NEW.price_cents IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.price_cents <= 0 OR NEW.files_id IS NULL; END;
--> statement-breakpoint
-- Files of messages count as used, until the message is deleted.
CREATE TRIGGER message_files_not_swept BEFORE INSERT ON message_files
BEGIN SELECT RAISE(ABORT, 'immutable_media_swept') WHERE EXISTS (SELECT 1 FROM media WHERE id = NEW.media_id AND swept_at IS NOT NULL); END;
--> statement-breakpoint
CREATE TRIGGER message_files_used AFTER INSERT ON message_files
BEGIN UPDATE media SET unused_since = NULL WHERE id = NEW.media_id AND unused_since IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER message_files_unused AFTER DELETE ON message_files
BEGIN UPDATE media SET unused_since = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE id = OLD.media_id; END;
--> statement-breakpoint
-- The files of a broadcast belong to all of its messages, and stay.
CREATE TRIGGER messages_files_deleted AFTER UPDATE OF files_id ON messages WHEN OLD.files_id = OLD.id AND NEW.files_id IS NULL
BEGIN DELETE FROM message_files WHERE files_id = OLD.files_id; END;
--> statement-breakpoint
CREATE TRIGGER broadcasts_files_deleted AFTER DELETE ON broadcasts
BEGIN DELETE FROM message_files WHERE files_id = OLD.id; END;
