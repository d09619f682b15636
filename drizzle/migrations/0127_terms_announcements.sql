CREATE TABLE `terms_announcements` (
	`version` text PRIMARY KEY NOT NULL,
	`announced_at` integer NOT NULL,
	`announced_by` text NOT NULL
) STRICT;
