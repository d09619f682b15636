CREATE TABLE `former_emails` (
	`person_id` text NOT NULL,
	`email` text NOT NULL,
	`left_at` integer NOT NULL,
	PRIMARY KEY(`person_id`, `email`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `former_emails_left` ON `former_emails` (`left_at`);