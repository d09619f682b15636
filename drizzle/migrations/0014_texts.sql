CREATE TABLE `local_texts` (
	`id` text PRIMARY KEY NOT NULL,
	`recipient` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `local_texts_created` ON `local_texts` (`created_at`);