CREATE TABLE `broadcast_recipients` (
	`broadcast_id` text NOT NULL,
	`person_id` text NOT NULL,
	`conversation_id` text,
	`seq` integer,
	PRIMARY KEY(`broadcast_id`, `person_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `broadcast_recipients_person` ON `broadcast_recipients` (`person_id`);--> statement-breakpoint
CREATE TABLE `broadcasts` (
	`id` text PRIMARY KEY NOT NULL,
	`creator_id` text NOT NULL,
	`written_by_id` text,
	`body` text NOT NULL,
	`segment` text NOT NULL,
	`plan_ids` text NOT NULL,
	`state` text NOT NULL,
	`send_at` integer,
	`started_at` integer,
	`ended_at` integer,
	`progress` text,
	`enqueued_until` integer,
	`recipient_count` integer DEFAULT 0 NOT NULL,
	`delivered_count` integer DEFAULT 0 NOT NULL,
	`skipped_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `broadcasts_creator` ON `broadcasts` (`creator_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `broadcasts_day` ON `broadcasts` (`creator_id`,`send_at`) WHERE send_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `broadcasts_due` ON `broadcasts` (`send_at`) WHERE state = 'scheduled';--> statement-breakpoint
CREATE INDEX `broadcasts_sending` ON `broadcasts` (`enqueued_until`) WHERE state = 'sending';