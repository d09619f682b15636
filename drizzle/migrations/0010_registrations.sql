-- Who is here already registered by making the account, and accepted by it the terms of that day.
CREATE TABLE `terms_acceptances` (
	`person_id` text NOT NULL,
	`version` text NOT NULL,
	`accepted_at` integer NOT NULL,
	PRIMARY KEY(`person_id`, `version`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `auth_pending_registrations` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text,
	`is_email_proven` integer NOT NULL,
	`name` text,
	`username` text,
	`birth_date` text,
	`terms_version` text,
	`provider_id` text NOT NULL,
	`account_id` text,
	`password_hash` text,
	`return_to` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `auth_pending_registrations_expiry` ON `auth_pending_registrations` (`expires_at`);--> statement-breakpoint
ALTER TABLE `people` ADD `birth_date` text;--> statement-breakpoint
ALTER TABLE `people` ADD `registered_at` integer;--> statement-breakpoint
UPDATE `people` SET `registered_at` = `created_at`;--> statement-breakpoint
INSERT INTO `terms_acceptances` (`person_id`, `version`, `accepted_at`) SELECT `id`, '2026-11-20', `created_at` FROM `people`;
