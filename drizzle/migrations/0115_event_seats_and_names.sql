CREATE TABLE `event_transfers` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`seat_id` text NOT NULL,
	`person_id` text NOT NULL,
	`to_id` text,
	`email` text,
	`token_hash` text,
	`created_at` integer NOT NULL,
	`accepted_at` integer,
	`withdrawn_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `event_transfers_one_open` ON `event_transfers` (`seat_id`) WHERE accepted_at IS NULL AND withdrawn_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `event_transfers_token` ON `event_transfers` (`token_hash`) WHERE token_hash IS NOT NULL;--> statement-breakpoint
CREATE INDEX `event_transfers_person` ON `event_transfers` (`person_id`,`event_id`);--> statement-breakpoint
CREATE INDEX `event_transfers_to` ON `event_transfers` (`to_id`) WHERE to_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `event_transfers_event` ON `event_transfers` (`event_id`);--> statement-breakpoint
ALTER TABLE `event_orders` ADD `switch_ends_at` integer;--> statement-breakpoint
ALTER TABLE `event_orders` ADD `names` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `event_orders_switching` ON `event_orders` (`switch_ends_at`) WHERE switch_ends_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `event_seats` ADD `holder_name` text;
--> statement-breakpoint
-- Who pays by another method keeps the seats from the end of one payment to the beginning of the next.
DROP TRIGGER purchases_insert;
--> statement-breakpoint
CREATE TRIGGER purchases_insert BEFORE INSERT ON purchases
BEGIN
  SELECT RAISE(ABORT, 'immutable_purchase_unpaid') WHERE NEW.bought_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM charges c WHERE c.id = NEW.charge_id AND c.purchase_id = NEW.id AND c.payer_id = NEW.person_id AND c.amount_cents = NEW.amount_cents AND c.succeeded_at IS NOT NULL);
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.kind NOT IN ('post', 'collection', 'message', 'event') OR (NEW.ended_at IS NULL) <> (NEW.ended_reason IS NULL);
  SELECT RAISE(ABORT, 'event_full') WHERE NEW.kind = 'event' AND NOT EXISTS (
    SELECT 1 FROM event_orders o WHERE o.id = NEW.target_id AND o.person_id = NEW.person_id AND NEW.amount_cents = o.quantity * o.unit_price_cents
      AND (o.status = 'open' OR (o.status = 'held' AND o.switch_ends_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM purchases running WHERE running.person_id = o.person_id AND running.kind = 'event' AND running.target_id = o.id AND running.bought_at IS NULL AND running.ended_at IS NULL))));
END;
--> statement-breakpoint
DROP TRIGGER purchases_event_held;
--> statement-breakpoint
CREATE TRIGGER purchases_event_held AFTER INSERT ON purchases WHEN NEW.kind = 'event'
BEGIN UPDATE event_orders SET status = 'held', switch_ends_at = NULL WHERE id = NEW.target_id; END;
--> statement-breakpoint
DROP TRIGGER purchases_event_ended;
--> statement-breakpoint
CREATE TRIGGER purchases_event_ended AFTER UPDATE OF ended_at ON purchases WHEN NEW.kind = 'event' AND NEW.ended_at IS NOT NULL AND OLD.ended_at IS NULL
BEGIN
  UPDATE event_orders SET status = 'open', switch_ends_at = NULL WHERE id = NEW.target_id AND status = 'held' AND NEW.bought_at IS NULL AND COALESCE(switch_ends_at, 0) <= NEW.ended_at;
  UPDATE event_orders SET status = 'canceled' WHERE id = NEW.target_id AND status = 'paid' AND NEW.bought_at IS NOT NULL;
  -- Who got a ticket of it from the payer is told that it is void. Where the payer erased the account, it stays valid.
  INSERT INTO outbox (id, type, payload, created_at)
    SELECT 'event:' || s.event_id || ':voided:' || s.id, 'event.ticket_voided', json_object('personId', s.person_id, 'eventId', e.id, 'eventTitle', e.title, 'creatorId', e.creator_id,
      'creatorName', COALESCE((SELECT p.name FROM profiles p WHERE p.person_id = e.creator_id), ''), 'startsAt', e.starts_at, 'timeZone', e.time_zone), CAST(unixepoch('subsec') * 1000 AS INTEGER)
    FROM event_seats s JOIN events e ON e.id = s.event_id
    WHERE s.order_id = NEW.target_id AND s.status = 'taken' AND s.checked_in_at IS NULL AND s.person_id <> NEW.person_id AND NEW.bought_at IS NOT NULL AND NEW.ended_reason <> 'buyer_left' AND e.status = 'published'
    ON CONFLICT DO NOTHING;
  UPDATE event_seats SET status = 'canceled', canceled_at = NEW.ended_at
    WHERE order_id = NEW.target_id AND status = 'taken' AND checked_in_at IS NULL AND NEW.bought_at IS NOT NULL
      AND (NEW.ended_reason <> 'buyer_left' OR person_id = NEW.person_id)
      AND NOT EXISTS (SELECT 1 FROM events e WHERE e.id = event_seats.event_id AND e.status = 'canceled');
END;
