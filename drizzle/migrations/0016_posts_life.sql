ALTER TABLE `outbox` ADD `progress` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `scheduled_at` integer;--> statement-breakpoint
ALTER TABLE `posts` ADD `edited_at` integer;--> statement-breakpoint
ALTER TABLE `posts` ADD `pinned_at` integer;--> statement-breakpoint
ALTER TABLE `posts` ADD `is_sensitive` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `saved_by_tab` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `posts_due` ON `posts` (`scheduled_at`) WHERE state = 'scheduled';--> statement-breakpoint
CREATE INDEX `posts_unpublished` ON `posts` (`author_id`,`updated_at`) WHERE state <> 'published';--> statement-breakpoint
CREATE INDEX `posts_pinned` ON `posts` (`author_id`,`pinned_at`) WHERE pinned_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `follows_audience` ON `follows` (`creator_id`,`follower_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_audience` ON `subscriptions` (`creator_id`,`fan_id`);