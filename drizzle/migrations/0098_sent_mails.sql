CREATE TABLE `sent_mails` (
	`key` text PRIMARY KEY NOT NULL,
	`sent_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sent_mails_sent` ON `sent_mails` (`sent_at`);
