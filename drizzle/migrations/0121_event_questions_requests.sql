CREATE TABLE `event_answers` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`person_id` text NOT NULL,
	`answers` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `event_answers_event` ON `event_answers` (`event_id`);--> statement-breakpoint
CREATE INDEX `event_answers_person` ON `event_answers` (`person_id`,`event_id`);--> statement-breakpoint
CREATE TABLE `event_requests` (
	`event_id` text NOT NULL,
	`person_id` text NOT NULL,
	`quantity` integer NOT NULL,
	`ticket_kind_id` text,
	`names` text DEFAULT '[]' NOT NULL,
	`answers_id` text,
	`status` text NOT NULL,
	`requested_at` integer NOT NULL,
	`decided_at` integer,
	`reply` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`event_id`, `person_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `event_requests_list` ON `event_requests` (`event_id`,`status`,`requested_at`,`person_id`);--> statement-breakpoint
CREATE INDEX `event_requests_person` ON `event_requests` (`person_id`);--> statement-breakpoint
ALTER TABLE `event_orders` ADD `answers_id` text;--> statement-breakpoint
ALTER TABLE `event_seats` ADD `answers_id` text;--> statement-breakpoint
ALTER TABLE `event_seats` ADD `cancels_at` integer;--> statement-breakpoint
CREATE INDEX `event_seats_canceling` ON `event_seats` (`cancels_at`) WHERE cancels_at IS NOT NULL AND status = 'taken';--> statement-breakpoint
ALTER TABLE `events` ADD `questions` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `needs_approval` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `held_at` integer;--> statement-breakpoint
CREATE INDEX `event_transfers_email` ON `event_transfers` (`email`) WHERE email IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER event_requests_insert_checked BEFORE INSERT ON event_requests WHEN NEW.status NOT IN ('waiting', 'approved', 'refused') OR NEW.quantity < 1
BEGIN SELECT RAISE(ABORT, 'unknown_state'); END;
--> statement-breakpoint
CREATE TRIGGER event_requests_update_checked BEFORE UPDATE ON event_requests WHEN NEW.status NOT IN ('waiting', 'approved', 'refused') OR NEW.quantity < 1
BEGIN SELECT RAISE(ABORT, 'unknown_state'); END;
--> statement-breakpoint
-- A hidden event leaves the pages that the edge stores.
DROP TRIGGER page_changes_event;
--> statement-breakpoint
CREATE TRIGGER page_changes_event AFTER UPDATE OF title, description, place, cover_media_id, starts_at, ends_at, status, capacity, price_from_cents, revision, held_at ON events WHEN OLD.status <> 'draft' OR NEW.status <> 'draft'
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || username, 1 FROM profiles WHERE person_id = NEW.creator_id
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
--> statement-breakpoint
-- A block in either direction frees the seats of the one at the events of the other. Whom the creator blocks is refunded;
-- who blocks the creator by the rule of their order, and after it keeps the paid seats. A ticket that somebody passed to whom
-- the creator blocks is canceled by a step, which refunds who paid. Requests for seats end.
DROP TRIGGER blocks_free_event_seats;
--> statement-breakpoint
CREATE TRIGGER blocks_free_event_seats AFTER INSERT ON blocks
BEGIN
  UPDATE purchases SET closes_at = NEW.created_at WHERE kind = 'event' AND person_id = NEW.blocked_id AND creator_id = NEW.blocker_id AND bought_at IS NOT NULL AND ended_at IS NULL
    AND EXISTS (SELECT 1 FROM event_orders o JOIN events e ON e.id = o.event_id WHERE o.id = purchases.target_id AND e.status = 'published' AND e.ends_at > NEW.created_at
      AND NOT EXISTS (SELECT 1 FROM event_seats s WHERE s.order_id = o.id AND s.checked_in_at IS NOT NULL));
  UPDATE purchases SET closes_at = NEW.created_at WHERE kind = 'event' AND person_id = NEW.blocker_id AND creator_id = NEW.blocked_id AND bought_at IS NOT NULL AND ended_at IS NULL
    AND EXISTS (SELECT 1 FROM event_orders o JOIN events e ON e.id = o.event_id WHERE o.id = purchases.target_id AND e.status = 'published' AND e.starts_at > NEW.created_at
      AND (e.starts_at - o.refund_hours * 3600000 > NEW.created_at OR purchases.bought_at + 604800000 > NEW.created_at OR e.moved_at >= purchases.bought_at)
      AND NOT EXISTS (SELECT 1 FROM event_seats s WHERE s.order_id = o.id AND s.checked_in_at IS NOT NULL));
  UPDATE event_seats SET status = 'canceled', canceled_at = NEW.created_at
    WHERE status = 'taken' AND checked_in_at IS NULL AND person_id IN (NEW.blocker_id, NEW.blocked_id)
      AND (order_id IS NULL OR EXISTS (SELECT 1 FROM purchases p WHERE p.person_id = event_seats.person_id AND p.kind = 'event' AND p.target_id = event_seats.order_id AND p.closes_at IS NOT NULL))
      AND event_id IN (SELECT id FROM events WHERE creator_id IN (NEW.blocker_id, NEW.blocked_id) AND creator_id <> event_seats.person_id);
  UPDATE event_seats SET cancels_at = NEW.created_at
    WHERE status = 'taken' AND checked_in_at IS NULL AND person_id = NEW.blocked_id AND order_id IS NOT NULL
      AND event_id IN (SELECT id FROM events WHERE creator_id = NEW.blocker_id)
      AND EXISTS (SELECT 1 FROM event_orders o WHERE o.id = event_seats.order_id AND o.person_id <> NEW.blocked_id);
  DELETE FROM event_waiting WHERE person_id IN (NEW.blocker_id, NEW.blocked_id)
    AND event_id IN (SELECT id FROM events WHERE creator_id IN (NEW.blocker_id, NEW.blocked_id) AND creator_id <> event_waiting.person_id);
  DELETE FROM event_requests WHERE person_id IN (NEW.blocker_id, NEW.blocked_id)
    AND event_id IN (SELECT id FROM events WHERE creator_id IN (NEW.blocker_id, NEW.blocked_id) AND creator_id <> event_requests.person_id);
END;
