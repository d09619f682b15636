CREATE TABLE `coupon_uses` (
	`subscription_id` text PRIMARY KEY NOT NULL,
	`coupon_id` text NOT NULL,
	`person_id` text NOT NULL,
	`charge_id` text NOT NULL,
	`cycles_left` integer,
	`full_price_at` integer,
	`told_at` integer,
	`freed_at` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `coupon_uses_once` ON `coupon_uses` (`coupon_id`,`person_id`) WHERE freed_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `coupon_uses_charge` ON `coupon_uses` (`charge_id`);--> statement-breakpoint
CREATE INDEX `coupon_uses_to_tell` ON `coupon_uses` (`full_price_at`) WHERE full_price_at IS NOT NULL AND told_at IS NULL AND freed_at IS NULL;--> statement-breakpoint
CREATE TABLE `coupons` (
	`id` text PRIMARY KEY NOT NULL,
	`creator_id` text NOT NULL,
	`code` text NOT NULL,
	`percent` integer,
	`amount_cents` integer,
	`cycles` integer,
	`uses_limit` integer,
	`uses_count` integer DEFAULT 0 NOT NULL,
	`plan_ids` text,
	`expires_at` integer,
	`ended_at` integer,
	`acted_by` text,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `coupons_code` ON `coupons` (`creator_id`,`code`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `coupons_creator` ON `coupons` (`creator_id`,`created_at`);
--> statement-breakpoint
-- What was agreed with who used it stays: a coupon is ended, never edited. Its uses never pass their limit, whoever counts.
CREATE TRIGGER coupons_terms_insert BEFORE INSERT ON coupons
WHEN (NEW.percent IS NULL) = (NEW.amount_cents IS NULL) OR NEW.percent NOT BETWEEN 1 AND 99 OR NEW.amount_cents <= 0 OR NEW.cycles <= 0 OR NEW.uses_limit <= 0 OR NEW.uses_count <> 0
BEGIN SELECT RAISE(ABORT, 'immutable_coupon'); END;
--> statement-breakpoint
CREATE TRIGGER coupons_terms_update BEFORE UPDATE ON coupons
BEGIN
  SELECT RAISE(ABORT, 'immutable_coupon') WHERE NEW.creator_id <> OLD.creator_id OR NEW.percent IS NOT OLD.percent OR NEW.amount_cents IS NOT OLD.amount_cents OR NEW.cycles IS NOT OLD.cycles
    OR NEW.uses_limit IS NOT OLD.uses_limit OR NEW.plan_ids IS NOT OLD.plan_ids OR NEW.expires_at IS NOT OLD.expires_at OR (OLD.ended_at IS NOT NULL AND NEW.ended_at IS NULL);
  SELECT RAISE(ABORT, 'immutable_coupon_uses') WHERE NEW.uses_count < 0 OR (NEW.uses_count > OLD.uses_count AND NEW.uses_count > NEW.uses_limit);
END;
--> statement-breakpoint
-- The first charge takes its use with it: unpaid, or given back whole. One that is paid late has to take it again.
CREATE TRIGGER coupon_uses_freed AFTER UPDATE OF status ON charges
WHEN NEW.status IN ('failed', 'expired', 'canceled', 'refunded') AND NEW.status <> OLD.status AND NEW.purchase_kind = 'subscription'
BEGIN
  UPDATE coupons SET uses_count = uses_count - 1 WHERE id = (SELECT coupon_id FROM coupon_uses WHERE charge_id = NEW.id AND freed_at IS NULL);
  UPDATE coupon_uses SET freed_at = NEW.asked_at WHERE charge_id = NEW.id AND freed_at IS NULL;
END;
--> statement-breakpoint
-- Each covered period is one payment with the discount; after the last one the full price begins.
CREATE TRIGGER coupon_uses_cycle AFTER INSERT ON charge_periods
BEGIN
  UPDATE coupon_uses SET cycles_left = cycles_left - 1, full_price_at = CASE WHEN cycles_left = 1 THEN NEW.ends_at END
    WHERE subscription_id = NEW.subscription_id AND freed_at IS NULL AND cycles_left > 0;
END;
