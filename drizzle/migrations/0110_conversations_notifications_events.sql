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
--> statement-breakpoint
ALTER TABLE `conversation_members` ADD `unread_count` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `messages` ADD `price_cents` integer;
--> statement-breakpoint
ALTER TABLE `messages` ADD `tip_cents` integer;
--> statement-breakpoint
ALTER TABLE `report_cases` ADD `ban_lifted_at` integer;
--> statement-breakpoint
-- Own messages are nothing unread: broadcasts came after messages that their sender has not read.
UPDATE conversation_members SET unread_count = (SELECT COUNT(*) FROM messages m
  WHERE m.conversation_id = conversation_members.conversation_id AND m.seq > conversation_members.read_seq AND m.sender_id <> conversation_members.person_id);
--> statement-breakpoint
-- The sender's side of a conversation that holds only their broadcasts.
UPDATE conversation_members SET box = 'broadcast' WHERE box = 'archived'
  AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = conversation_members.conversation_id
    AND (m.sender_id <> conversation_members.person_id OR m.client_message_id NOT LIKE 'broadcast:%'));
--> statement-breakpoint
-- Bans of reports that a moderator ended by hand.
UPDATE report_cases SET ban_lifted_at = (SELECT MIN(a.created_at) FROM moderation_actions a
    WHERE a.person_id = report_cases.author_id AND a.act = 'unban' AND a.case_id IS NULL AND a.moderator_id <> '' AND a.created_at >= report_cases.decided_at)
  WHERE decision = 'ban';
--> statement-breakpoint
DROP TRIGGER messages_media_let_go;
--> statement-breakpoint
CREATE TRIGGER messages_media_released AFTER UPDATE OF media_id ON messages WHEN OLD.media_id IS NOT NULL AND NEW.media_id IS NOT OLD.media_id
BEGIN UPDATE media SET unused_since = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE id = OLD.media_id; END;
--> statement-breakpoint
-- The price of a message's file is what was offered, and never changes.
CREATE TRIGGER messages_price_insert BEFORE INSERT ON messages WHEN NEW.price_cents IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.price_cents <= 0 OR NEW.media_id IS NULL; END;
--> statement-breakpoint
CREATE TRIGGER messages_price_update BEFORE UPDATE OF price_cents ON messages WHEN NEW.price_cents IS NOT OLD.price_cents
BEGIN SELECT RAISE(ABORT, 'immutable_message_price'); END;
--> statement-breakpoint
-- A message can be bought, once its charge succeeded, as posts and collections are.
DROP TRIGGER purchases_insert;
--> statement-breakpoint
CREATE TRIGGER purchases_insert BEFORE INSERT ON purchases
BEGIN
  SELECT RAISE(ABORT, 'immutable_purchase_unpaid') WHERE NEW.bought_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM charges c WHERE c.id = NEW.charge_id AND c.purchase_id = NEW.id AND c.payer_id = NEW.person_id AND c.amount_cents = NEW.amount_cents AND c.succeeded_at IS NOT NULL);
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.kind NOT IN ('post', 'collection', 'message') OR (NEW.ended_at IS NULL) <> (NEW.ended_reason IS NULL);
END;
--> statement-breakpoint
-- A bought message that its sender deletes is refunded a day later, as a post is.
DROP TRIGGER purchases_bought_gone;
--> statement-breakpoint
CREATE TRIGGER purchases_bought_gone AFTER UPDATE OF bought_at ON purchases WHEN NEW.bought_at IS NOT NULL
BEGIN
  UPDATE purchases SET closes_at = 86400000 + COALESCE(
      (SELECT COALESCE(gone.deleted_at, gone.held_at) FROM posts gone WHERE purchases.kind = 'post' AND gone.id = purchases.target_id),
      (SELECT gone.deleted_at FROM messages gone WHERE purchases.kind = 'message' AND gone.id = purchases.target_id),
      CASE WHEN purchases.kind = 'collection'
      AND NOT EXISTS (SELECT 1 FROM purchase_posts kept JOIN posts s ON s.id = kept.post_id WHERE kept.purchase_id = purchases.id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM collection_posts held JOIN posts s ON s.id = held.post_id WHERE held.collection_id = purchases.target_id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      THEN COALESCE((SELECT MAX(COALESCE(gone.deleted_at, gone.held_at)) FROM posts gone WHERE gone.id IN (SELECT kept.post_id FROM purchase_posts kept WHERE kept.purchase_id = purchases.id
        UNION SELECT held.post_id FROM collection_posts held WHERE held.collection_id = purchases.target_id)), purchases.bought_at) END,
      (SELECT banned.banned_at FROM people banned WHERE banned.id = purchases.creator_id))
    WHERE id = NEW.id;
END;
--> statement-breakpoint
DROP TRIGGER purchases_seller_gone;
--> statement-breakpoint
CREATE TRIGGER purchases_seller_gone AFTER UPDATE OF banned_at ON people WHEN NEW.banned_at IS NOT OLD.banned_at
BEGIN
  UPDATE purchases SET closes_at = 86400000 + COALESCE(
      (SELECT COALESCE(gone.deleted_at, gone.held_at) FROM posts gone WHERE purchases.kind = 'post' AND gone.id = purchases.target_id),
      (SELECT gone.deleted_at FROM messages gone WHERE purchases.kind = 'message' AND gone.id = purchases.target_id),
      CASE WHEN purchases.kind = 'collection'
      AND NOT EXISTS (SELECT 1 FROM purchase_posts kept JOIN posts s ON s.id = kept.post_id WHERE kept.purchase_id = purchases.id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM collection_posts held JOIN posts s ON s.id = held.post_id WHERE held.collection_id = purchases.target_id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      THEN COALESCE((SELECT MAX(COALESCE(gone.deleted_at, gone.held_at)) FROM posts gone WHERE gone.id IN (SELECT kept.post_id FROM purchase_posts kept WHERE kept.purchase_id = purchases.id
        UNION SELECT held.post_id FROM collection_posts held WHERE held.collection_id = purchases.target_id)), purchases.bought_at) END,
      NEW.banned_at)
    WHERE creator_id = NEW.id AND bought_at IS NOT NULL AND ended_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER purchases_message_gone AFTER UPDATE OF deleted_at ON messages WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL AND OLD.price_cents IS NOT NULL
BEGIN
  UPDATE purchases SET closes_at = 86400000 + NEW.deleted_at
    WHERE target_id = NEW.id AND kind = 'message' AND bought_at IS NOT NULL AND ended_at IS NULL;
END;
--> statement-breakpoint
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
