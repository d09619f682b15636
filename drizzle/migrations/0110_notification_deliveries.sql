CREATE TABLE `delivery_retries` (
	`id` text PRIMARY KEY NOT NULL,
	`delivery_number` text NOT NULL,
	`moderator_id` text NOT NULL,
	`failure` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `delivery_retries_created` ON `delivery_retries` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `newsletter_stops` (
	`person_id` text NOT NULL,
	`creator_id` text NOT NULL,
	`stopped_at` integer NOT NULL,
	PRIMARY KEY(`person_id`, `creator_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `newsletter_stops_creator` ON `newsletter_stops` (`creator_id`);--> statement-breakpoint
CREATE TABLE `notification_deliveries` (
	`key` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`channel` text NOT NULL,
	`kind` text NOT NULL,
	`from_id` text,
	`post_id` text,
	`group_key` text,
	`device_id` text,
	`content` text,
	`due_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`ended_at` integer,
	`failed_at` integer,
	`failure` text,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `notification_deliveries_due` ON `notification_deliveries` (`due_at`) WHERE ended_at IS NULL AND failed_at IS NULL;--> statement-breakpoint
CREATE INDEX `notification_deliveries_due_first` ON `notification_deliveries` (`due_at`) WHERE ended_at IS NULL AND failed_at IS NULL AND kind <> 'post';--> statement-breakpoint
CREATE INDEX `notification_deliveries_ended` ON `notification_deliveries` (`ended_at`) WHERE ended_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `notification_deliveries_failed` ON `notification_deliveries` (`failed_at`,`key`) WHERE failed_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `notification_deliveries_group` ON `notification_deliveries` (`person_id`,`group_key`,`created_at`) WHERE group_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `notification_deliveries_person` ON `notification_deliveries` (`person_id`);--> statement-breakpoint
CREATE INDEX `notification_deliveries_from` ON `notification_deliveries` (`from_id`) WHERE from_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `notification_deliveries_post` ON `notification_deliveries` (`post_id`) WHERE post_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `notification_hours` (
	`person_id` text PRIMARY KEY NOT NULL,
	`time_zone` text NOT NULL,
	`quiet_from_minute` integer,
	`quiet_until_minute` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `post_mutes` (
	`person_id` text NOT NULL,
	`post_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`person_id`, `post_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `post_mutes_post` ON `post_mutes` (`post_id`);--> statement-breakpoint
CREATE TABLE `push_devices` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_pushed_at` integer,
	`session_id` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `push_devices_endpoint` ON `push_devices` (`endpoint`);--> statement-breakpoint
CREATE INDEX `push_devices_person` ON `push_devices` (`person_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `local_pushes` (
	`id` text PRIMARY KEY NOT NULL,
	`source_key` text NOT NULL,
	`endpoint` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `local_pushes_source` ON `local_pushes` (`source_key`);--> statement-breakpoint
CREATE INDEX `local_pushes_created` ON `local_pushes` (`created_at`);--> statement-breakpoint
ALTER TABLE `posts` ADD `mail_to` text DEFAULT 'nobody' NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_quarantined` ON `outbox` (`quarantined_at`,`id`) WHERE quarantined_at IS NOT NULL AND handled_at IS NULL;