CREATE TABLE `analytics_links` (
	`creator_id` text NOT NULL,
	`day` integer NOT NULL,
	`slug` text NOT NULL,
	`follows` integer NOT NULL,
	`starts` integer NOT NULL,
	PRIMARY KEY(`creator_id`, `day`, `slug`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `analytics_money` (
	`creator_id` text NOT NULL,
	`day` integer NOT NULL,
	`plan_id` text NOT NULL,
	`link_slug` text NOT NULL,
	`count` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`refunded_cents` integer NOT NULL,
	`disputed_cents` integer NOT NULL,
	`fee_cents` integer NOT NULL,
	`net_cents` integer NOT NULL,
	PRIMARY KEY(`creator_id`, `day`, `plan_id`, `link_slug`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `analytics_retention` (
	`creator_id` text NOT NULL,
	`day` integer NOT NULL,
	`subject` text NOT NULL,
	`time_zone` text NOT NULL,
	`step` integer NOT NULL,
	`plays` integer NOT NULL,
	PRIMARY KEY(`creator_id`, `subject`, `day`, `step`, `time_zone`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `analytics_days_subject` ON `analytics_days` (`creator_id`,`subject`,`day`);--> statement-breakpoint
CREATE INDEX `analytics_retention_day` ON `analytics_retention` (`creator_id`,`day`);--> statement-breakpoint
CREATE TABLE `creator_links` (
	`creator_id` text NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`archived_at` integer,
	PRIMARY KEY(`creator_id`, `slug`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `newsletter_days` (
	`post_id` text NOT NULL,
	`day` integer NOT NULL,
	`sent_count` integer DEFAULT 0 NOT NULL,
	`opened_count` integer DEFAULT 0 NOT NULL,
	`clicked_count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`post_id`, `day`)
) STRICT;
--> statement-breakpoint
ALTER TABLE `analytics_days` ADD `reads` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `analytics_days` ADD `read_seconds` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `coreto_views` ADD `blob9` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `charges` ADD `plan_id` text;--> statement-breakpoint
ALTER TABLE `charges` ADD `link_slug` text;--> statement-breakpoint
CREATE INDEX `charges_received_plan` ON `charges` (`creator_id`,`plan_id`,`succeeded_at`,`id`) WHERE succeeded_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `charges_received_link` ON `charges` (`creator_id`,`link_slug`,`succeeded_at`,`id`) WHERE succeeded_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `follows` ADD `link_slug` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `link_slug` text;--> statement-breakpoint
ALTER TABLE `trial_setups` ADD `link_slug` text;
--> statement-breakpoint
-- A charge takes the plan and the link of what it pays for when it is paid, because the plan may change afterwards. The first payment is written before its subscription, so not when the charge is made.
CREATE TRIGGER analytics_money_insert AFTER INSERT ON charges WHEN NEW.succeeded_at IS NOT NULL AND NEW.purchase_kind <> 'debt'
BEGIN
  UPDATE charges SET link_slug = (SELECT link_slug FROM subscriptions WHERE id = NEW.purchase_id),
    plan_id = CASE NEW.purchase_kind WHEN 'gift' THEN (SELECT plan_id FROM gifts WHERE id = NEW.purchase_id)
      ELSE COALESCE((SELECT to_plan_id FROM plan_changes WHERE id = NEW.plan_change_id), (SELECT plan_id FROM subscriptions WHERE id = NEW.purchase_id)) END
  WHERE id = NEW.id AND NEW.purchase_kind IN ('subscription', 'plan_change', 'gift');
  INSERT INTO analytics_money (creator_id, day, plan_id, link_slug, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT NEW.creator_id, CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), COALESCE(c.plan_id, ''), COALESCE(c.link_slug, ''), 1, NEW.amount_cents, NEW.refunded_cents, NEW.disputed_cents,
    (NEW.fee_cents - NEW.refunded_fee_cents - NEW.disputed_fee_cents), (NEW.net_cents - (NEW.refunded_cents - NEW.refunded_fee_cents) - (NEW.disputed_cents - NEW.disputed_fee_cents))
  FROM charges c WHERE c.id = NEW.id AND NEW.succeeded_at IS NOT NULL
  ON CONFLICT (creator_id, day, plan_id, link_slug) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO analytics_links (creator_id, day, slug, follows, starts)
  SELECT NEW.creator_id, CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), c.link_slug, 0, 1 FROM charges c
  WHERE c.id = NEW.id AND c.link_slug IS NOT NULL AND NEW.purchase_kind = 'subscription' AND NEW.succeeded_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM charges e WHERE e.purchase_kind = 'subscription' AND e.purchase_id = NEW.purchase_id AND e.id <> NEW.id AND e.succeeded_at IS NOT NULL)
  ON CONFLICT (creator_id, day, slug) DO UPDATE SET starts = starts + 1;
END;
--> statement-breakpoint
CREATE TRIGGER analytics_money_update AFTER UPDATE OF status, succeeded_at, refunded_cents, refunded_fee_cents, disputed_cents, disputed_fee_cents ON charges WHEN (OLD.succeeded_at IS NOT NULL OR NEW.succeeded_at IS NOT NULL) AND NEW.purchase_kind <> 'debt'
BEGIN
  UPDATE charges SET link_slug = (SELECT link_slug FROM subscriptions WHERE id = NEW.purchase_id),
    plan_id = CASE NEW.purchase_kind WHEN 'gift' THEN (SELECT plan_id FROM gifts WHERE id = NEW.purchase_id)
      ELSE COALESCE((SELECT to_plan_id FROM plan_changes WHERE id = NEW.plan_change_id), (SELECT plan_id FROM subscriptions WHERE id = NEW.purchase_id)) END
  WHERE id = NEW.id AND OLD.succeeded_at IS NULL AND NEW.purchase_kind IN ('subscription', 'plan_change', 'gift');
  INSERT INTO analytics_money (creator_id, day, plan_id, link_slug, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT OLD.creator_id, CAST((OLD.succeeded_at - 10800000) / 86400000 AS INTEGER), COALESCE(c.plan_id, ''), COALESCE(c.link_slug, ''), -1, -OLD.amount_cents, -OLD.refunded_cents, -OLD.disputed_cents,
    -(OLD.fee_cents - OLD.refunded_fee_cents - OLD.disputed_fee_cents), -(OLD.net_cents - (OLD.refunded_cents - OLD.refunded_fee_cents) - (OLD.disputed_cents - OLD.disputed_fee_cents))
  FROM charges c WHERE c.id = OLD.id AND OLD.succeeded_at IS NOT NULL
  ON CONFLICT (creator_id, day, plan_id, link_slug) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO analytics_money (creator_id, day, plan_id, link_slug, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT NEW.creator_id, CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), COALESCE(c.plan_id, ''), COALESCE(c.link_slug, ''), 1, NEW.amount_cents, NEW.refunded_cents, NEW.disputed_cents,
    (NEW.fee_cents - NEW.refunded_fee_cents - NEW.disputed_fee_cents), (NEW.net_cents - (NEW.refunded_cents - NEW.refunded_fee_cents) - (NEW.disputed_cents - NEW.disputed_fee_cents))
  FROM charges c WHERE c.id = NEW.id AND NEW.succeeded_at IS NOT NULL
  ON CONFLICT (creator_id, day, plan_id, link_slug) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO analytics_links (creator_id, day, slug, follows, starts)
  SELECT NEW.creator_id, CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), c.link_slug, 0, 1 FROM charges c
  WHERE c.id = NEW.id AND c.link_slug IS NOT NULL AND NEW.purchase_kind = 'subscription' AND NEW.succeeded_at IS NOT NULL AND OLD.succeeded_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM charges e WHERE e.purchase_kind = 'subscription' AND e.purchase_id = NEW.purchase_id AND e.id <> NEW.id AND e.succeeded_at IS NOT NULL)
  ON CONFLICT (creator_id, day, slug) DO UPDATE SET starts = starts + 1;
END;
--> statement-breakpoint
CREATE TRIGGER analytics_link_follow_counted AFTER INSERT ON follows WHEN NEW.link_slug IS NOT NULL
BEGIN
  INSERT INTO analytics_links (creator_id, day, slug, follows, starts) VALUES (NEW.creator_id, CAST((NEW.created_at - 10800000) / 86400000 AS INTEGER), NEW.link_slug, 1, 0)
  ON CONFLICT (creator_id, day, slug) DO UPDATE SET follows = follows + 1;
END;
--> statement-breakpoint
-- Who follows no more is counted no more, and who follows again once.
CREATE TRIGGER analytics_link_follow_ended AFTER DELETE ON follows WHEN OLD.link_slug IS NOT NULL
BEGIN
  UPDATE analytics_links SET follows = follows - 1 WHERE creator_id = OLD.creator_id AND day = CAST((OLD.created_at - 10800000) / 86400000 AS INTEGER) AND slug = OLD.link_slug AND follows > 0;
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
  DELETE FROM creator_links WHERE creator_id = NEW.id;
END;
--> statement-breakpoint
-- What was before: a payment belongs to the plan that the first change after it left, or else to the plan of today.
UPDATE charges SET plan_id = CASE purchase_kind WHEN 'gift' THEN (SELECT plan_id FROM gifts WHERE id = charges.purchase_id)
  ELSE COALESCE((SELECT to_plan_id FROM plan_changes WHERE id = charges.plan_change_id),
    (SELECT later.from_plan_id FROM plan_changes later WHERE later.subscription_id = charges.purchase_id AND later.state IN ('done', 'reversed') AND later.settled_at > charges.succeeded_at ORDER BY later.settled_at LIMIT 1),
    (SELECT plan_id FROM subscriptions WHERE id = charges.purchase_id)) END
WHERE succeeded_at IS NOT NULL AND purchase_kind IN ('subscription', 'plan_change', 'gift');
--> statement-breakpoint
INSERT INTO analytics_money (creator_id, day, plan_id, link_slug, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
SELECT c.creator_id, CAST((c.succeeded_at - 10800000) / 86400000 AS INTEGER), COALESCE(c.plan_id, ''), '', COUNT(*), SUM(c.amount_cents), SUM(c.refunded_cents), SUM(c.disputed_cents),
  SUM(c.fee_cents - c.refunded_fee_cents - c.disputed_fee_cents), SUM(c.net_cents - (c.refunded_cents - c.refunded_fee_cents) - (c.disputed_cents - c.disputed_fee_cents))
FROM charges c WHERE c.succeeded_at IS NOT NULL AND c.purchase_kind <> 'debt' GROUP BY 1, 2, 3;
--> statement-breakpoint
-- Emails from before are of the day of the first one.
INSERT INTO newsletter_days (post_id, day, sent_count, opened_count, clicked_count)
SELECT post_id, CAST((first_sent_at - 10800000) / 86400000 AS INTEGER), sent_count, opened_count, clicked_count FROM newsletter_totals;
