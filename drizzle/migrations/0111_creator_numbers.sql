CREATE TABLE `analytics_days` (
	`creator_id` text NOT NULL,
	`day` integer NOT NULL,
	`subject` text NOT NULL,
	`views` integer NOT NULL,
	`visitors` integer NOT NULL,
	`plays` integer NOT NULL,
	`sales` integer NOT NULL,
	`sales_cents` integer NOT NULL,
	PRIMARY KEY(`creator_id`, `day`, `subject`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `analytics_people` (
	`creator_id` text NOT NULL,
	`day` integer NOT NULL,
	`follows` integer NOT NULL,
	`trials` integer NOT NULL,
	PRIMARY KEY(`creator_id`, `day`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `analytics_progress` (
	`time_zone` text PRIMARY KEY NOT NULL,
	`closed_day` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `analytics_snapshots` (
	`creator_id` text NOT NULL,
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`computed_at` integer NOT NULL,
	PRIMARY KEY(`creator_id`, `kind`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `analytics_snapshots_age` ON `analytics_snapshots` (`kind`,`computed_at`);--> statement-breakpoint
CREATE TABLE `analytics_sources` (
	`creator_id` text NOT NULL,
	`day` integer NOT NULL,
	`dimension` text NOT NULL,
	`value` text NOT NULL,
	`views` integer NOT NULL,
	`visitors` integer NOT NULL,
	PRIMARY KEY(`creator_id`, `day`, `dimension`, `value`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `coreto_views` (
	`timestamp` integer NOT NULL,
	`index1` text NOT NULL,
	`blob1` text NOT NULL,
	`blob2` text NOT NULL,
	`blob3` text NOT NULL,
	`blob4` text NOT NULL,
	`blob5` text NOT NULL,
	`blob6` text NOT NULL,
	`blob7` text NOT NULL,
	`blob8` text NOT NULL,
	`double1` real NOT NULL,
	`_sample_interval` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `coreto_views_time` ON `coreto_views` (`blob1`,`timestamp`);--> statement-breakpoint
CREATE TABLE `view_salts` (
	`time_zone` text NOT NULL,
	`day` integer NOT NULL,
	`salt` text NOT NULL,
	PRIMARY KEY(`time_zone`, `day`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `follows_by_time` ON `follows` (`created_at`,`creator_id`);--> statement-breakpoint
CREATE INDEX `purchases_by_time` ON `purchases` (`bought_at`) WHERE bought_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscriptions_by_start` ON `subscriptions` (`started_at`,`creator_id`) WHERE started_at IS NOT NULL;