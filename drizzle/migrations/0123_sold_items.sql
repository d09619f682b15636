-- What was sold once is summed by what it is, with its refunds: posts as before, and collections, messages and events too.
DROP TRIGGER analytics_sale_counted;
--> statement-breakpoint
ALTER TABLE `analytics_sales` RENAME TO `analytics_items`;--> statement-breakpoint
ALTER TABLE `analytics_items` RENAME COLUMN `post_id` TO `item_id`;--> statement-breakpoint
ALTER TABLE `analytics_items` RENAME COLUMN `sales` TO `count`;--> statement-breakpoint
ALTER TABLE `analytics_items` RENAME COLUMN `sales_cents` TO `amount_cents`;--> statement-breakpoint
ALTER TABLE `analytics_items` ADD `kind` text DEFAULT 'post' NOT NULL;--> statement-breakpoint
ALTER TABLE `analytics_items` ADD `refunded_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `analytics_items` ADD `disputed_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `analytics_items` ADD `fee_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `analytics_items` ADD `net_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `analytics_items_item` ON `analytics_items` (`creator_id`,`item_id`,`day`);--> statement-breakpoint
CREATE TABLE `analytics_broadcasts` (
	`broadcast_id` text PRIMARY KEY NOT NULL,
	`creator_id` text NOT NULL,
	`opened_count` integer DEFAULT 0 NOT NULL,
	`answered_count` integer DEFAULT 0 NOT NULL,
	`buyers_count` integer DEFAULT 0 NOT NULL,
	`counted_at` integer,
	`due_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `analytics_broadcasts_creator` ON `analytics_broadcasts` (`creator_id`);--> statement-breakpoint
CREATE INDEX `analytics_broadcasts_due` ON `analytics_broadcasts` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `analytics_links` ADD `sales` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `checked_in_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `charges` ADD `item_id` text;--> statement-breakpoint
CREATE INDEX `charges_received_item` ON `charges` (`creator_id`,`item_id`,`succeeded_at`,`id`) WHERE succeeded_at IS NOT NULL AND item_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `charges_received_back` ON `charges` (`creator_id`,`succeeded_at`,`id`) WHERE succeeded_at IS NOT NULL AND refunded_cents + disputed_cents > 0;--> statement-breakpoint
ALTER TABLE `gifts` ADD `link_slug` text;--> statement-breakpoint
ALTER TABLE `purchases` ADD `link_slug` text;--> statement-breakpoint
ALTER TABLE `tips` ADD `link_slug` text;
--> statement-breakpoint
-- A charge takes the plan, the link and the item of what it pays for when it is paid.
DROP TRIGGER analytics_money_insert;
--> statement-breakpoint
CREATE TRIGGER analytics_money_insert AFTER INSERT ON charges WHEN NEW.succeeded_at IS NOT NULL AND NEW.purchase_kind <> 'debt'
BEGIN
  UPDATE charges SET link_slug = CASE NEW.purchase_kind WHEN 'gift' THEN (SELECT link_slug FROM gifts WHERE id = NEW.purchase_id) WHEN 'tip' THEN (SELECT link_slug FROM tips WHERE id = NEW.purchase_id)
      WHEN 'subscription' THEN (SELECT link_slug FROM subscriptions WHERE id = NEW.purchase_id) WHEN 'plan_change' THEN (SELECT link_slug FROM subscriptions WHERE id = NEW.purchase_id)
      ELSE (SELECT link_slug FROM purchases WHERE id = NEW.purchase_id) END,
    plan_id = CASE NEW.purchase_kind WHEN 'gift' THEN (SELECT plan_id FROM gifts WHERE id = NEW.purchase_id)
      WHEN 'subscription' THEN COALESCE((SELECT to_plan_id FROM plan_changes WHERE id = NEW.plan_change_id), (SELECT plan_id FROM subscriptions WHERE id = NEW.purchase_id))
      WHEN 'plan_change' THEN COALESCE((SELECT to_plan_id FROM plan_changes WHERE id = NEW.plan_change_id), (SELECT plan_id FROM subscriptions WHERE id = NEW.purchase_id)) END,
    item_id = CASE WHEN NEW.purchase_kind = 'event' THEN (SELECT o.event_id FROM purchases p JOIN event_orders o ON o.id = p.target_id WHERE p.id = NEW.purchase_id)
      WHEN NEW.purchase_kind IN ('post', 'collection', 'message') THEN (SELECT target_id FROM purchases WHERE id = NEW.purchase_id) END
  WHERE id = NEW.id;
  INSERT INTO analytics_money (creator_id, day, plan_id, link_slug, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT NEW.creator_id, CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), COALESCE(c.plan_id, ''), COALESCE(c.link_slug, ''), 1, NEW.amount_cents, NEW.refunded_cents, NEW.disputed_cents,
    (NEW.fee_cents - NEW.refunded_fee_cents - NEW.disputed_fee_cents), (NEW.net_cents - (NEW.refunded_cents - NEW.refunded_fee_cents) - (NEW.disputed_cents - NEW.disputed_fee_cents))
  FROM charges c WHERE c.id = NEW.id AND NEW.succeeded_at IS NOT NULL
  ON CONFLICT (creator_id, day, plan_id, link_slug) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO analytics_items (creator_id, day, item_id, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT NEW.creator_id, CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), c.item_id, NEW.purchase_kind, 1, NEW.amount_cents, NEW.refunded_cents, NEW.disputed_cents,
    (NEW.fee_cents - NEW.refunded_fee_cents - NEW.disputed_fee_cents), (NEW.net_cents - (NEW.refunded_cents - NEW.refunded_fee_cents) - (NEW.disputed_cents - NEW.disputed_fee_cents))
  FROM charges c WHERE c.id = NEW.id AND NEW.succeeded_at IS NOT NULL AND c.item_id IS NOT NULL
  ON CONFLICT (creator_id, day, item_id) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO analytics_links (creator_id, day, slug, follows, starts, sales)
  SELECT NEW.creator_id, CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), c.link_slug, 0, NEW.purchase_kind = 'subscription', NEW.purchase_kind <> 'subscription' FROM charges c
  WHERE c.id = NEW.id AND c.link_slug IS NOT NULL AND NEW.purchase_kind <> 'plan_change' AND NEW.succeeded_at IS NOT NULL
    AND NOT (NEW.purchase_kind = 'subscription' AND EXISTS (SELECT 1 FROM charges e WHERE e.purchase_kind = 'subscription' AND e.purchase_id = NEW.purchase_id AND e.id <> NEW.id AND e.succeeded_at IS NOT NULL))
  ON CONFLICT (creator_id, day, slug) DO UPDATE SET starts = starts + excluded.starts, sales = sales + excluded.sales;
END;
--> statement-breakpoint
DROP TRIGGER analytics_money_update;
--> statement-breakpoint
CREATE TRIGGER analytics_money_update AFTER UPDATE OF status, succeeded_at, refunded_cents, refunded_fee_cents, disputed_cents, disputed_fee_cents ON charges WHEN (OLD.succeeded_at IS NOT NULL OR NEW.succeeded_at IS NOT NULL) AND NEW.purchase_kind <> 'debt'
BEGIN
  UPDATE charges SET link_slug = CASE NEW.purchase_kind WHEN 'gift' THEN (SELECT link_slug FROM gifts WHERE id = NEW.purchase_id) WHEN 'tip' THEN (SELECT link_slug FROM tips WHERE id = NEW.purchase_id)
      WHEN 'subscription' THEN (SELECT link_slug FROM subscriptions WHERE id = NEW.purchase_id) WHEN 'plan_change' THEN (SELECT link_slug FROM subscriptions WHERE id = NEW.purchase_id)
      ELSE (SELECT link_slug FROM purchases WHERE id = NEW.purchase_id) END,
    plan_id = CASE NEW.purchase_kind WHEN 'gift' THEN (SELECT plan_id FROM gifts WHERE id = NEW.purchase_id)
      WHEN 'subscription' THEN COALESCE((SELECT to_plan_id FROM plan_changes WHERE id = NEW.plan_change_id), (SELECT plan_id FROM subscriptions WHERE id = NEW.purchase_id))
      WHEN 'plan_change' THEN COALESCE((SELECT to_plan_id FROM plan_changes WHERE id = NEW.plan_change_id), (SELECT plan_id FROM subscriptions WHERE id = NEW.purchase_id)) END,
    item_id = CASE WHEN NEW.purchase_kind = 'event' THEN (SELECT o.event_id FROM purchases p JOIN event_orders o ON o.id = p.target_id WHERE p.id = NEW.purchase_id)
      WHEN NEW.purchase_kind IN ('post', 'collection', 'message') THEN (SELECT target_id FROM purchases WHERE id = NEW.purchase_id) END
  WHERE id = NEW.id AND OLD.succeeded_at IS NULL;
  INSERT INTO analytics_money (creator_id, day, plan_id, link_slug, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT OLD.creator_id, CAST((OLD.succeeded_at - 10800000) / 86400000 AS INTEGER), COALESCE(c.plan_id, ''), COALESCE(c.link_slug, ''), -1, -OLD.amount_cents, -OLD.refunded_cents, -OLD.disputed_cents,
    -(OLD.fee_cents - OLD.refunded_fee_cents - OLD.disputed_fee_cents), -(OLD.net_cents - (OLD.refunded_cents - OLD.refunded_fee_cents) - (OLD.disputed_cents - OLD.disputed_fee_cents))
  FROM charges c WHERE c.id = OLD.id AND OLD.succeeded_at IS NOT NULL
  ON CONFLICT (creator_id, day, plan_id, link_slug) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO analytics_items (creator_id, day, item_id, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT OLD.creator_id, CAST((OLD.succeeded_at - 10800000) / 86400000 AS INTEGER), c.item_id, OLD.purchase_kind, -1, -OLD.amount_cents, -OLD.refunded_cents, -OLD.disputed_cents,
    -(OLD.fee_cents - OLD.refunded_fee_cents - OLD.disputed_fee_cents), -(OLD.net_cents - (OLD.refunded_cents - OLD.refunded_fee_cents) - (OLD.disputed_cents - OLD.disputed_fee_cents))
  FROM charges c WHERE c.id = OLD.id AND OLD.succeeded_at IS NOT NULL AND c.item_id IS NOT NULL
  ON CONFLICT (creator_id, day, item_id) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO analytics_money (creator_id, day, plan_id, link_slug, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT NEW.creator_id, CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), COALESCE(c.plan_id, ''), COALESCE(c.link_slug, ''), 1, NEW.amount_cents, NEW.refunded_cents, NEW.disputed_cents,
    (NEW.fee_cents - NEW.refunded_fee_cents - NEW.disputed_fee_cents), (NEW.net_cents - (NEW.refunded_cents - NEW.refunded_fee_cents) - (NEW.disputed_cents - NEW.disputed_fee_cents))
  FROM charges c WHERE c.id = NEW.id AND NEW.succeeded_at IS NOT NULL
  ON CONFLICT (creator_id, day, plan_id, link_slug) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO analytics_items (creator_id, day, item_id, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT NEW.creator_id, CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), c.item_id, NEW.purchase_kind, 1, NEW.amount_cents, NEW.refunded_cents, NEW.disputed_cents,
    (NEW.fee_cents - NEW.refunded_fee_cents - NEW.disputed_fee_cents), (NEW.net_cents - (NEW.refunded_cents - NEW.refunded_fee_cents) - (NEW.disputed_cents - NEW.disputed_fee_cents))
  FROM charges c WHERE c.id = NEW.id AND NEW.succeeded_at IS NOT NULL AND c.item_id IS NOT NULL
  ON CONFLICT (creator_id, day, item_id) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO analytics_links (creator_id, day, slug, follows, starts, sales)
  SELECT NEW.creator_id, CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), c.link_slug, 0, NEW.purchase_kind = 'subscription', NEW.purchase_kind <> 'subscription' FROM charges c
  WHERE c.id = NEW.id AND c.link_slug IS NOT NULL AND NEW.purchase_kind <> 'plan_change' AND NEW.succeeded_at IS NOT NULL AND OLD.succeeded_at IS NULL
    AND NOT (NEW.purchase_kind = 'subscription' AND EXISTS (SELECT 1 FROM charges e WHERE e.purchase_kind = 'subscription' AND e.purchase_id = NEW.purchase_id AND e.id <> NEW.id AND e.succeeded_at IS NOT NULL))
  ON CONFLICT (creator_id, day, slug) DO UPDATE SET starts = starts + excluded.starts, sales = sales + excluded.sales;
END;
--> statement-breakpoint
-- Who came in is counted as seats are.
CREATE TRIGGER event_seats_arrived AFTER INSERT ON event_seats WHEN NEW.status = 'taken' AND NEW.checked_in_at IS NOT NULL
BEGIN UPDATE events SET checked_in_count = checked_in_count + 1 WHERE id = NEW.event_id; END;
--> statement-breakpoint
CREATE TRIGGER event_seats_arrival_changed AFTER UPDATE OF status, checked_in_at ON event_seats
WHEN (NEW.status = 'taken' AND NEW.checked_in_at IS NOT NULL) <> (OLD.status = 'taken' AND OLD.checked_in_at IS NOT NULL)
BEGIN UPDATE events SET checked_in_count = checked_in_count + iif(NEW.status = 'taken' AND NEW.checked_in_at IS NOT NULL, 1, -1) WHERE id = NEW.event_id; END;
--> statement-breakpoint
CREATE TRIGGER event_seats_arrived_deleted AFTER DELETE ON event_seats WHEN OLD.status = 'taken' AND OLD.checked_in_at IS NOT NULL
BEGIN UPDATE events SET checked_in_count = checked_in_count - 1 WHERE id = OLD.event_id; END;
--> statement-breakpoint
-- A broadcast is counted first an hour after its recipients are fixed.
CREATE TRIGGER analytics_broadcast_started AFTER UPDATE OF started_at ON broadcasts WHEN OLD.started_at IS NULL AND NEW.started_at IS NOT NULL
BEGIN
  INSERT INTO analytics_broadcasts (broadcast_id, creator_id, due_at) VALUES (NEW.id, NEW.creator_id, NEW.started_at + 3600000)
  ON CONFLICT (broadcast_id) DO NOTHING;
END;
--> statement-breakpoint
-- The numbers of an erased account go with it, and its links.
DROP TRIGGER analytics_erased;
--> statement-breakpoint
CREATE TRIGGER analytics_erased AFTER UPDATE OF deleted_at ON people WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL
BEGIN
  DELETE FROM analytics_days WHERE creator_id = NEW.id;
  DELETE FROM analytics_sources WHERE creator_id = NEW.id;
  DELETE FROM analytics_people WHERE creator_id = NEW.id;
  DELETE FROM analytics_snapshots WHERE creator_id = NEW.id;
  DELETE FROM analytics_retention WHERE creator_id = NEW.id;
  DELETE FROM analytics_links WHERE creator_id = NEW.id;
  DELETE FROM analytics_broadcasts WHERE creator_id = NEW.id;
  DELETE FROM creator_links WHERE creator_id = NEW.id;
END;
--> statement-breakpoint
-- What was before.
UPDATE events SET checked_in_count = (SELECT COUNT(*) FROM event_seats s WHERE s.event_id = events.id AND s.status = 'taken' AND s.checked_in_at IS NOT NULL)
WHERE EXISTS (SELECT 1 FROM event_seats s WHERE s.event_id = events.id AND s.checked_in_at IS NOT NULL);
--> statement-breakpoint
INSERT INTO analytics_broadcasts (broadcast_id, creator_id, due_at) SELECT id, creator_id, started_at + 3600000 FROM broadcasts WHERE started_at IS NOT NULL;
--> statement-breakpoint
UPDATE charges SET item_id = CASE WHEN charges.purchase_kind = 'event' THEN (SELECT o.event_id FROM purchases p JOIN event_orders o ON o.id = p.target_id WHERE p.id = charges.purchase_id)
      WHEN charges.purchase_kind IN ('post', 'collection', 'message') THEN (SELECT target_id FROM purchases WHERE id = charges.purchase_id) END
WHERE succeeded_at IS NOT NULL AND purchase_kind IN ('post', 'collection', 'message', 'event');
--> statement-breakpoint
DELETE FROM analytics_items;
--> statement-breakpoint
INSERT INTO analytics_items (creator_id, day, item_id, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
SELECT c.creator_id, CAST((c.succeeded_at - 10800000) / 86400000 AS INTEGER), c.item_id, c.purchase_kind, COUNT(*), SUM(c.amount_cents), SUM(c.refunded_cents), SUM(c.disputed_cents),
  SUM(c.fee_cents - c.refunded_fee_cents - c.disputed_fee_cents), SUM(c.net_cents - (c.refunded_cents - c.refunded_fee_cents) - (c.disputed_cents - c.disputed_fee_cents))
FROM charges c WHERE c.succeeded_at IS NOT NULL AND c.item_id IS NOT NULL GROUP BY 1, 2, 3;
