CREATE TABLE `event_calendars` (
	`person_id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `event_calendars_token_hash` ON `event_calendars` (`token_hash`);--> statement-breakpoint
CREATE TABLE `event_seats` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`person_id` text NOT NULL,
	`status` text NOT NULL,
	`code` text NOT NULL,
	`taken_at` integer NOT NULL,
	`canceled_at` integer,
	`checked_in_at` integer,
	`checked_in_by` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `event_seats_code` ON `event_seats` (`code`);--> statement-breakpoint
CREATE INDEX `event_seats_event` ON `event_seats` (`event_id`,`status`,`taken_at`,`id`);--> statement-breakpoint
CREATE INDEX `event_seats_person` ON `event_seats` (`person_id`,`status`,`event_id`);--> statement-breakpoint
CREATE INDEX `event_seats_door` ON `event_seats` (`checked_in_by`) WHERE checked_in_by IS NOT NULL;--> statement-breakpoint
CREATE TABLE `event_waiting` (
	`event_id` text NOT NULL,
	`person_id` text NOT NULL,
	`quantity` integer NOT NULL,
	`joined_at` integer NOT NULL,
	`offered_quantity` integer DEFAULT 0 NOT NULL,
	`offer_ends_at` integer,
	PRIMARY KEY(`event_id`, `person_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `event_waiting_order` ON `event_waiting` (`event_id`,`joined_at`,`person_id`);--> statement-breakpoint
CREATE INDEX `event_waiting_person` ON `event_waiting` (`person_id`);--> statement-breakpoint
CREATE INDEX `event_waiting_offers` ON `event_waiting` (`offer_ends_at`) WHERE offer_ends_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `description` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `link` text;--> statement-breakpoint
ALTER TABLE `events` ADD `cover_media_id` text;--> statement-breakpoint
ALTER TABLE `events` ADD `ends_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `time_zone` text DEFAULT 'America/Sao_Paulo' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `status` text DEFAULT 'draft' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `capacity` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `max_per_person` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `access` text DEFAULT 'public' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `plan_ids` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `revision` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `seats_taken` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `seats_offered` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `waiting_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `day_reminder_at` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `start_reminder_at` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `published_at` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `canceled_at` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `updated_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `events_cover` ON `events` (`cover_media_id`);--> statement-breakpoint
CREATE INDEX `events_waiting` ON `events` (`starts_at`) WHERE status = 'published' AND waiting_count > 0;--> statement-breakpoint
CREATE INDEX `events_day_reminder` ON `events` (`starts_at`) WHERE status = 'published' AND day_reminder_at IS NULL;--> statement-breakpoint
CREATE INDEX `events_start_reminder` ON `events` (`starts_at`) WHERE status = 'published' AND start_reminder_at IS NULL;
--> statement-breakpoint
-- Events before this migration were listed, and none said when it ended.
UPDATE events SET status = 'published', published_at = created_at, updated_at = created_at, ends_at = starts_at + 7200000;
--> statement-breakpoint
-- Counts of an event are sums over its seats and its waiting list.
CREATE TRIGGER event_seats_counted AFTER INSERT ON event_seats WHEN NEW.status = 'taken'
BEGIN UPDATE events SET seats_taken = seats_taken + 1 WHERE id = NEW.event_id; END;
--> statement-breakpoint
CREATE TRIGGER event_seats_recounted AFTER UPDATE OF status ON event_seats WHEN OLD.status <> NEW.status
BEGIN UPDATE events SET seats_taken = seats_taken + iif(NEW.status = 'taken', 1, -1) WHERE id = NEW.event_id; END;
--> statement-breakpoint
CREATE TRIGGER event_seats_uncounted AFTER DELETE ON event_seats WHEN OLD.status = 'taken'
BEGIN UPDATE events SET seats_taken = seats_taken - 1 WHERE id = OLD.event_id; END;
--> statement-breakpoint
CREATE TRIGGER event_waiting_counted AFTER INSERT ON event_waiting
BEGIN UPDATE events SET seats_offered = seats_offered + NEW.offered_quantity, waiting_count = waiting_count + (NEW.offer_ends_at IS NULL) WHERE id = NEW.event_id; END;
--> statement-breakpoint
CREATE TRIGGER event_waiting_recounted AFTER UPDATE OF offered_quantity, offer_ends_at ON event_waiting
BEGIN UPDATE events SET seats_offered = seats_offered + NEW.offered_quantity - OLD.offered_quantity, waiting_count = waiting_count + (NEW.offer_ends_at IS NULL) - (OLD.offer_ends_at IS NULL) WHERE id = NEW.event_id; END;
--> statement-breakpoint
CREATE TRIGGER event_waiting_uncounted AFTER DELETE ON event_waiting
BEGIN UPDATE events SET seats_offered = seats_offered - OLD.offered_quantity, waiting_count = waiting_count - (OLD.offer_ends_at IS NULL) WHERE id = OLD.event_id; END;
--> statement-breakpoint
-- Never more seats than the capacity, whatever the command believed.
CREATE TRIGGER events_not_oversold BEFORE UPDATE OF seats_taken, seats_offered, capacity ON events
WHEN NEW.capacity IS NOT NULL AND NEW.seats_taken + NEW.seats_offered > NEW.capacity
  AND (NEW.seats_taken + NEW.seats_offered > OLD.seats_taken + OLD.seats_offered OR NEW.capacity IS NOT OLD.capacity)
BEGIN SELECT RAISE(ABORT, 'event_full'); END;
--> statement-breakpoint
CREATE TRIGGER events_insert_checked BEFORE INSERT ON events
WHEN NEW.status NOT IN ('draft', 'published', 'canceled') OR NEW.access NOT IN ('public', 'followers', 'subscribers', 'plans')
BEGIN SELECT RAISE(ABORT, 'unknown_state'); END;
--> statement-breakpoint
CREATE TRIGGER events_update_checked BEFORE UPDATE OF status, access ON events
WHEN NEW.status NOT IN ('draft', 'published', 'canceled') OR NEW.access NOT IN ('public', 'followers', 'subscribers', 'plans')
BEGIN SELECT RAISE(ABORT, 'unknown_state'); END;
--> statement-breakpoint
CREATE TRIGGER event_seats_insert_checked BEFORE INSERT ON event_seats WHEN NEW.status NOT IN ('taken', 'canceled')
BEGIN SELECT RAISE(ABORT, 'unknown_state'); END;
--> statement-breakpoint
CREATE TRIGGER event_seats_update_checked BEFORE UPDATE OF status ON event_seats WHEN NEW.status NOT IN ('taken', 'canceled')
BEGIN SELECT RAISE(ABORT, 'unknown_state'); END;
--> statement-breakpoint
-- A block in either direction frees the seats of the one at the events of the other.
CREATE TRIGGER blocks_free_event_seats AFTER INSERT ON blocks
BEGIN
  UPDATE event_seats SET status = 'canceled', canceled_at = NEW.created_at
    WHERE status = 'taken' AND checked_in_at IS NULL AND person_id IN (NEW.blocker_id, NEW.blocked_id)
      AND event_id IN (SELECT id FROM events WHERE creator_id IN (NEW.blocker_id, NEW.blocked_id) AND creator_id <> event_seats.person_id);
  DELETE FROM event_waiting WHERE person_id IN (NEW.blocker_id, NEW.blocked_id)
    AND event_id IN (SELECT id FROM events WHERE creator_id IN (NEW.blocker_id, NEW.blocked_id) AND creator_id <> event_waiting.person_id);
END;
--> statement-breakpoint
-- The cover of an event counts as used.
CREATE TRIGGER events_cover_not_swept BEFORE UPDATE OF cover_media_id ON events WHEN NEW.cover_media_id IS NOT OLD.cover_media_id
BEGIN SELECT RAISE(ABORT, 'immutable_media_swept') WHERE EXISTS (SELECT 1 FROM media WHERE id = NEW.cover_media_id AND swept_at IS NOT NULL); END;
--> statement-breakpoint
CREATE TRIGGER events_cover_first_not_swept BEFORE INSERT ON events WHEN NEW.cover_media_id IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'immutable_media_swept') WHERE EXISTS (SELECT 1 FROM media WHERE id = NEW.cover_media_id AND swept_at IS NOT NULL); END;
--> statement-breakpoint
CREATE TRIGGER events_cover_used AFTER UPDATE OF cover_media_id ON events WHEN NEW.cover_media_id IS NOT NULL
BEGIN UPDATE media SET unused_since = NULL WHERE id = NEW.cover_media_id AND unused_since IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER events_cover_let_go AFTER UPDATE OF cover_media_id ON events WHEN OLD.cover_media_id IS NOT NULL AND OLD.cover_media_id IS NOT NEW.cover_media_id
BEGIN UPDATE media SET unused_since = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE id = OLD.cover_media_id; END;
--> statement-breakpoint
CREATE TRIGGER events_cover_gone AFTER DELETE ON events WHEN OLD.cover_media_id IS NOT NULL
BEGIN UPDATE media SET unused_since = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE id = OLD.cover_media_id; END;
