CREATE TABLE `event_series` (
	`id` text PRIMARY KEY NOT NULL,
	`creator_id` text NOT NULL,
	`time_zone` text NOT NULL,
	`starts_wall` text NOT NULL,
	`duration_minutes` integer NOT NULL,
	`rule` text NOT NULL,
	`made_until` text NOT NULL,
	`extend_at` integer,
	`version` integer DEFAULT 0 NOT NULL,
	`change` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `event_series_creator` ON `event_series` (`creator_id`);--> statement-breakpoint
CREATE INDEX `event_series_extend` ON `event_series` (`extend_at`) WHERE extend_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `event_series_changing` ON `event_series` (`updated_at`) WHERE change IS NOT NULL;--> statement-breakpoint
CREATE TABLE `event_zones` (
	`zone` text PRIMARY KEY NOT NULL,
	`year` integer,
	`rules` text,
	`checked_at` integer DEFAULT 0 NOT NULL,
	`cursor_at` integer,
	`cursor_id` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `event_zones_checked` ON `event_zones` (`checked_at`);--> statement-breakpoint
ALTER TABLE `events` ADD `link_minutes` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `starts_wall` text;--> statement-breakpoint
ALTER TABLE `events` ADD `ends_wall` text;--> statement-breakpoint
ALTER TABLE `events` ADD `series_id` text;--> statement-breakpoint
ALTER TABLE `events` ADD `series_day` text;--> statement-breakpoint
ALTER TABLE `events` ADD `is_changed_alone` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `series_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `events_zone` ON `events` (`time_zone`,`starts_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `events_series` ON `events` (`series_id`,`series_day`) WHERE series_id IS NOT NULL;--> statement-breakpoint
-- Each zone of an event is checked for other clock rules.
INSERT INTO event_zones (zone) SELECT DISTINCT time_zone FROM events;
--> statement-breakpoint
CREATE TRIGGER events_zone_known AFTER INSERT ON events
BEGIN INSERT OR IGNORE INTO event_zones (zone) VALUES (NEW.time_zone); END;
--> statement-breakpoint
CREATE TRIGGER events_other_zone_known AFTER UPDATE OF time_zone ON events WHEN NEW.time_zone <> OLD.time_zone
BEGIN INSERT OR IGNORE INTO event_zones (zone) VALUES (NEW.time_zone); END;
--> statement-breakpoint
INSERT INTO sitemap_pages (kind, after_key, checked_at) VALUES ('events', '', 0);
