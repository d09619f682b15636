CREATE TABLE `event_orders` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`person_id` text NOT NULL,
	`ticket_kind_id` text NOT NULL,
	`quantity` integer NOT NULL,
	`unit_price_cents` integer NOT NULL,
	`refund_hours` integer,
	`status` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `event_orders_one_running` ON `event_orders` (`event_id`,`person_id`) WHERE status IN ('open', 'held');--> statement-breakpoint
CREATE INDEX `event_orders_event` ON `event_orders` (`event_id`,`status`);--> statement-breakpoint
CREATE INDEX `event_orders_person` ON `event_orders` (`person_id`,`event_id`);--> statement-breakpoint
CREATE TABLE `event_ticket_kinds` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`name` text NOT NULL,
	`price_cents` integer NOT NULL,
	`capacity` integer,
	`sale_starts_at` integer,
	`sale_ends_at` integer,
	`seats_taken` integer DEFAULT 0 NOT NULL,
	`seats_held` integer DEFAULT 0 NOT NULL,
	`retired_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `event_ticket_kinds_event` ON `event_ticket_kinds` (`event_id`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `event_seats` ADD `ticket_kind_id` text;--> statement-breakpoint
ALTER TABLE `event_seats` ADD `order_id` text;--> statement-breakpoint
CREATE INDEX `event_seats_order` ON `event_seats` (`order_id`) WHERE order_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `price_from_cents` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `refund_hours` integer DEFAULT 48;--> statement-breakpoint
ALTER TABLE `events` ADD `moved_at` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `seats_held` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `typed_capacity` integer;--> statement-breakpoint
UPDATE events SET typed_capacity = capacity;
--> statement-breakpoint
-- A seat counts for its event and for its kind of ticket.
CREATE TRIGGER event_seats_kind_counted AFTER INSERT ON event_seats WHEN NEW.status = 'taken' AND NEW.ticket_kind_id IS NOT NULL
BEGIN UPDATE event_ticket_kinds SET seats_taken = seats_taken + 1 WHERE id = NEW.ticket_kind_id; END;
--> statement-breakpoint
CREATE TRIGGER event_seats_kind_recounted AFTER UPDATE OF status ON event_seats WHEN OLD.status <> NEW.status AND NEW.ticket_kind_id IS NOT NULL
BEGIN UPDATE event_ticket_kinds SET seats_taken = seats_taken + iif(NEW.status = 'taken', 1, -1) WHERE id = NEW.ticket_kind_id; END;
--> statement-breakpoint
CREATE TRIGGER event_seats_kind_uncounted AFTER DELETE ON event_seats WHEN OLD.status = 'taken' AND OLD.ticket_kind_id IS NOT NULL
BEGIN UPDATE event_ticket_kinds SET seats_taken = seats_taken - 1 WHERE id = OLD.ticket_kind_id; END;
--> statement-breakpoint
-- A running payment holds the seats of its order.
CREATE TRIGGER event_orders_held AFTER UPDATE OF status ON event_orders WHEN (NEW.status = 'held') <> (OLD.status = 'held')
BEGIN
  UPDATE events SET seats_held = seats_held + iif(NEW.status = 'held', NEW.quantity, -OLD.quantity) WHERE id = NEW.event_id;
  UPDATE event_ticket_kinds SET seats_held = seats_held + iif(NEW.status = 'held', NEW.quantity, -OLD.quantity) WHERE id = NEW.ticket_kind_id;
  -- An unpaid attempt that used an offer of the waiting list gives it back. One whose time is over then ends as any other.
  UPDATE event_waiting SET offered_quantity = MIN(quantity, OLD.quantity)
    WHERE NEW.status = 'open' AND event_id = NEW.event_id AND person_id = NEW.person_id AND offer_ends_at IS NOT NULL AND offered_quantity = 0;
END;
--> statement-breakpoint
CREATE TRIGGER event_orders_insert_checked BEFORE INSERT ON event_orders WHEN NEW.status <> 'open' OR NEW.quantity < 1 OR NEW.unit_price_cents < 1
BEGIN SELECT RAISE(ABORT, 'unknown_state'); END;
--> statement-breakpoint
-- What was chosen changes only while no payment runs.
CREATE TRIGGER event_orders_update_checked BEFORE UPDATE ON event_orders
BEGIN
  SELECT RAISE(ABORT, 'immutable_event_order') WHERE NEW.id <> OLD.id OR NEW.event_id <> OLD.event_id OR NEW.person_id <> OLD.person_id
    OR ((OLD.status <> 'open' OR NEW.status <> 'open' OR EXISTS (SELECT 1 FROM purchases p WHERE p.person_id = OLD.person_id AND p.kind = 'event' AND p.target_id = OLD.id)) AND (NEW.ticket_kind_id <> OLD.ticket_kind_id OR NEW.quantity <> OLD.quantity OR NEW.unit_price_cents <> OLD.unit_price_cents));
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.status NOT IN ('open', 'held', 'paid', 'canceled') OR NEW.quantity < 1
    OR (OLD.status = 'canceled' AND NEW.status <> 'canceled') OR (OLD.status = 'paid' AND NEW.status NOT IN ('paid', 'canceled'));
END;
--> statement-breakpoint
-- Never more seats than the capacity, whatever the command believed: taken, held by payments and offered.
DROP TRIGGER events_not_oversold;
--> statement-breakpoint
CREATE TRIGGER events_not_oversold BEFORE UPDATE OF seats_taken, seats_held, seats_offered, capacity ON events
WHEN NEW.capacity IS NOT NULL AND NEW.seats_taken + NEW.seats_held + NEW.seats_offered > NEW.capacity
  AND (NEW.seats_taken + NEW.seats_held + NEW.seats_offered > OLD.seats_taken + OLD.seats_held + OLD.seats_offered OR NEW.capacity IS NOT OLD.capacity)
BEGIN SELECT RAISE(ABORT, 'event_full'); END;
--> statement-breakpoint
CREATE TRIGGER event_ticket_kinds_not_oversold BEFORE UPDATE OF seats_taken, seats_held, capacity ON event_ticket_kinds
WHEN NEW.capacity IS NOT NULL AND NEW.seats_taken + NEW.seats_held > NEW.capacity
  AND (NEW.seats_taken + NEW.seats_held > OLD.seats_taken + OLD.seats_held OR NEW.capacity IS NOT OLD.capacity)
BEGIN SELECT RAISE(ABORT, 'event_full'); END;
--> statement-breakpoint
-- Tickets can be bought, once their charge succeeded, as posts are. A purchase begins with the hold of its seats.
DROP TRIGGER purchases_insert;
--> statement-breakpoint
CREATE TRIGGER purchases_insert BEFORE INSERT ON purchases
BEGIN
  SELECT RAISE(ABORT, 'immutable_purchase_unpaid') WHERE NEW.bought_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM charges c WHERE c.id = NEW.charge_id AND c.purchase_id = NEW.id AND c.payer_id = NEW.person_id AND c.amount_cents = NEW.amount_cents AND c.succeeded_at IS NOT NULL);
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.kind NOT IN ('post', 'collection', 'message', 'event') OR (NEW.ended_at IS NULL) <> (NEW.ended_reason IS NULL);
  SELECT RAISE(ABORT, 'event_full') WHERE NEW.kind = 'event' AND NOT EXISTS (
    SELECT 1 FROM event_orders o WHERE o.id = NEW.target_id AND o.person_id = NEW.person_id AND o.status = 'open' AND NEW.amount_cents = o.quantity * o.unit_price_cents);
END;
--> statement-breakpoint
CREATE TRIGGER purchases_event_held AFTER INSERT ON purchases WHEN NEW.kind = 'event'
BEGIN UPDATE event_orders SET status = 'held' WHERE id = NEW.target_id; END;
--> statement-breakpoint
CREATE TRIGGER purchases_event_paid AFTER UPDATE OF bought_at ON purchases WHEN NEW.kind = 'event' AND NEW.bought_at IS NOT NULL AND OLD.bought_at IS NULL
BEGIN UPDATE event_orders SET status = 'paid' WHERE id = NEW.target_id; END;
--> statement-breakpoint
-- An attempt that ends frees its hold. A purchase that ends frees its seats, but for those inside, and for those of a canceled event, which calendars still show.
CREATE TRIGGER purchases_event_ended AFTER UPDATE OF ended_at ON purchases WHEN NEW.kind = 'event' AND NEW.ended_at IS NOT NULL AND OLD.ended_at IS NULL
BEGIN
  UPDATE event_orders SET status = 'open' WHERE id = NEW.target_id AND status = 'held' AND NEW.bought_at IS NULL;
  UPDATE event_orders SET status = 'canceled' WHERE id = NEW.target_id AND status = 'paid' AND NEW.bought_at IS NOT NULL;
  UPDATE event_seats SET status = 'canceled', canceled_at = NEW.ended_at
    WHERE order_id = NEW.target_id AND status = 'taken' AND checked_in_at IS NULL AND NEW.bought_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM events e WHERE e.id = event_seats.event_id AND e.status = 'canceled');
END;
--> statement-breakpoint
-- A canceled event is refunded to everybody at once.
CREATE TRIGGER events_canceled_refunded AFTER UPDATE OF status ON events WHEN NEW.status = 'canceled' AND OLD.status <> 'canceled'
BEGIN
  UPDATE purchases SET closes_at = NEW.canceled_at WHERE kind = 'event' AND bought_at IS NOT NULL AND ended_at IS NULL
    AND target_id IN (SELECT o.id FROM event_orders o WHERE o.event_id = NEW.id AND o.status = 'paid');
END;
--> statement-breakpoint
-- A banned seller's tickets are refunded a day later, as posts are; those of an event that is over stay bought.
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
    WHERE creator_id = NEW.id AND bought_at IS NOT NULL AND ended_at IS NULL
      AND NOT (kind = 'event' AND EXISTS (SELECT 1 FROM event_orders o JOIN events e ON e.id = o.event_id
        WHERE o.id = purchases.target_id AND (e.status = 'canceled' OR e.ends_at <= COALESCE(NEW.banned_at, 0))));
END;
--> statement-breakpoint
-- A block in either direction frees the seats of the one at the events of the other. Whom the creator blocks is refunded;
-- who blocks the creator by the rule of their order, and after it keeps the paid seats.
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
  DELETE FROM event_waiting WHERE person_id IN (NEW.blocker_id, NEW.blocked_id)
    AND event_id IN (SELECT id FROM events WHERE creator_id IN (NEW.blocker_id, NEW.blocked_id) AND creator_id <> event_waiting.person_id);
END;
