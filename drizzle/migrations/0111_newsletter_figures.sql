CREATE TABLE `newsletter_readers` (
	`post_id` text NOT NULL,
	`person_id` text NOT NULL,
	`is_clicked` integer NOT NULL,
	`counted_on` integer NOT NULL,
	PRIMARY KEY(`post_id`, `person_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `newsletter_readers_person` ON `newsletter_readers` (`person_id`);--> statement-breakpoint
CREATE INDEX `newsletter_readers_counted` ON `newsletter_readers` (`counted_on`);--> statement-breakpoint
CREATE TABLE `newsletter_totals` (
	`post_id` text PRIMARY KEY NOT NULL,
	`first_sent_at` integer NOT NULL,
	`sent_count` integer DEFAULT 0 NOT NULL,
	`opened_count` integer DEFAULT 0 NOT NULL,
	`clicked_count` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `stopped_addresses` (
	`address` text PRIMARY KEY NOT NULL,
	`bounced_at` integer,
	`complained_at` integer,
	`resumed_at` integer
) STRICT;
--> statement-breakpoint
ALTER TABLE `sent_mails` ADD `is_unconfirmed` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `push_devices_session` ON `push_devices` (`session_id`) WHERE session_id IS NOT NULL;
--> statement-breakpoint
-- Addresses are compared in lower case.
CREATE TRIGGER stopped_addresses_insert_checked BEFORE INSERT ON stopped_addresses WHEN NEW.address <> lower(NEW.address)
BEGIN SELECT RAISE(ABORT, 'unknown_state'); END;
--> statement-breakpoint
-- However a session ends, by a password reset too, its browser gets no more pushes.
CREATE TRIGGER auth_sessions_end_pushes AFTER DELETE ON auth_sessions
BEGIN DELETE FROM push_devices WHERE session_id = OLD.id; END;
