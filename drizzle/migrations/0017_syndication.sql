CREATE TABLE `private_feeds` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`creator_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `private_feeds_token_hash` ON `private_feeds` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `private_feeds_living` ON `private_feeds` (`subscription_id`) WHERE revoked_at IS NULL;--> statement-breakpoint
CREATE INDEX `private_feeds_person` ON `private_feeds` (`person_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `sitemap_pages` (
	`id` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`after_key` text NOT NULL,
	`to_key` text,
	`changed_at` integer,
	`checked_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `sitemap_pages_range` ON `sitemap_pages` (`kind`,`after_key`);--> statement-breakpoint
CREATE INDEX `sitemap_pages_checked` ON `sitemap_pages` (`checked_at`);--> statement-breakpoint
ALTER TABLE `people` ADD `age_checked_at` integer;--> statement-breakpoint
ALTER TABLE `profiles` ADD `links` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `profiles` ADD `is_adult` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `profiles_sitemap` ON `profiles` (`person_id`) WHERE is_creator = 1;--> statement-breakpoint
-- One page of each kind, over everything: the sweep cuts them where they grow too long.
INSERT INTO sitemap_pages (kind, after_key, checked_at) VALUES ('creators', '', 0), ('posts', '', 0);
