CREATE TABLE `saved_method_attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`method_id` text,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `saved_method_attempts_person` ON `saved_method_attempts` (`person_id`);--> statement-breakpoint
CREATE INDEX `saved_method_attempts_old` ON `saved_method_attempts` (`created_at`);