CREATE TABLE `plan_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`happens` text NOT NULL,
	`state` text NOT NULL,
	`from_plan_id` text NOT NULL,
	`from_plan_price_id` text NOT NULL,
	`from_interval` text NOT NULL,
	`from_amount_cents` integer NOT NULL,
	`to_plan_id` text NOT NULL,
	`to_plan_price_id` text NOT NULL,
	`to_interval` text NOT NULL,
	`to_amount_cents` integer NOT NULL,
	`before_starts_at` integer NOT NULL,
	`before_ends_at` integer NOT NULL,
	`before_anchor_at` integer,
	`covers_from` integer,
	`covers_until` integer,
	`credit_cents` integer DEFAULT 0 NOT NULL,
	`due_cents` integer DEFAULT 0 NOT NULL,
	`recut` text,
	`holds_seat` integer DEFAULT false NOT NULL,
	`reason` text,
	`created_at` integer NOT NULL,
	`settled_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `plan_changes_one_standing` ON `plan_changes` (`subscription_id`) WHERE state IN ('open', 'scheduled', 'paid');--> statement-breakpoint
CREATE INDEX `plan_changes_of` ON `plan_changes` (`subscription_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `plan_changes_due` ON `plan_changes` (`state`,`before_ends_at`) WHERE state = 'paid';--> statement-breakpoint
DROP INDEX `charge_periods_once`;--> statement-breakpoint
ALTER TABLE `charge_periods` ADD `is_difference` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `charge_periods` ADD `amount_cents` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `charge_periods_once` ON `charge_periods` (`subscription_id`,`starts_at`) WHERE is_difference = 0;--> statement-breakpoint
ALTER TABLE `charges` ADD `plan_change_id` text;--> statement-breakpoint
CREATE INDEX `charges_plan_change` ON `charges` (`plan_change_id`) WHERE plan_change_id IS NOT NULL;
--> statement-breakpoint
-- What a change of plan may be, and what of it never changes once it was agreed.
CREATE TRIGGER plan_changes_insert BEFORE INSERT ON plan_changes
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.state NOT IN ('open', 'scheduled') OR (NEW.happens = 'now') <> (NEW.state = 'open');
  SELECT RAISE(ABORT, 'immutable_plan_change') WHERE NEW.credit_cents < 0 OR NEW.due_cents < 0 OR (NEW.happens = 'now' AND (NEW.due_cents = 0 OR NEW.covers_from IS NULL OR NEW.covers_until IS NULL));
  SELECT RAISE(ABORT, 'immutable_comp') WHERE EXISTS (SELECT 1 FROM subscriptions s WHERE s.id = NEW.subscription_id AND s.comp_ends_at IS NOT NULL);
END;
--> statement-breakpoint
CREATE TRIGGER plan_changes_update BEFORE UPDATE ON plan_changes
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.state NOT IN ('open', 'scheduled', 'paid', 'done', 'over', 'reversed') OR (NEW.state = 'reversed' AND OLD.state NOT IN ('done', 'reversed')) OR (OLD.state IN ('done', 'reversed') AND NEW.state NOT IN ('done', 'reversed'))
    OR (NEW.holds_seat = 1 AND NEW.state NOT IN ('open', 'scheduled', 'paid'));
  SELECT RAISE(ABORT, 'immutable_plan_change') WHERE NEW.subscription_id <> OLD.subscription_id OR NEW.happens <> OLD.happens OR NEW.from_plan_id <> OLD.from_plan_id OR NEW.to_plan_id <> OLD.to_plan_id OR NEW.to_plan_price_id <> OLD.to_plan_price_id
    OR NEW.to_amount_cents <> OLD.to_amount_cents OR NEW.credit_cents <> OLD.credit_cents OR NEW.due_cents <> OLD.due_cents;
  SELECT RAISE(ABORT, 'immutable_plan_change') WHERE NEW.state IN ('paid', 'done') AND OLD.state <> NEW.state AND NOT EXISTS (SELECT 1 FROM charges c WHERE c.plan_change_id = NEW.id AND c.purchase_id = NEW.subscription_id AND c.succeeded_at IS NOT NULL);
END;
--> statement-breakpoint
-- What stands ends with its subscription, whoever ends it: nothing is left to change, and its seat is free. What is paid for a later period waits for it while it is only canceled.
CREATE TRIGGER plan_changes_ended AFTER UPDATE OF status ON subscriptions
WHEN NEW.status IN ('canceled', 'expired', 'paused') AND NEW.status <> OLD.status
BEGIN
  UPDATE plans SET seats_taken = seats_taken - 1 WHERE seats_taken > 0 AND id = (SELECT to_plan_id FROM plan_changes WHERE subscription_id = NEW.id AND holds_seat = 1
    AND (state = 'open' OR (state = 'scheduled' AND NEW.status <> 'paused') OR (state = 'paid' AND NEW.status = 'expired')));
  UPDATE plan_changes SET state = 'over', reason = 'ended', holds_seat = 0, settled_at = NEW.updated_at WHERE subscription_id = NEW.id
    AND (state = 'open' OR (state = 'scheduled' AND NEW.status <> 'paused') OR (state = 'paid' AND NEW.status = 'expired'));
END;
--> statement-breakpoint
-- The difference of a change is no payment of a period to a coupon.
DROP TRIGGER coupon_uses_cycle;
--> statement-breakpoint
CREATE TRIGGER coupon_uses_cycle AFTER INSERT ON charge_periods
WHEN NEW.is_difference = 0 AND (SELECT COUNT(*) FROM charge_periods covered WHERE covered.charge_id = NEW.charge_id) <= COALESCE((SELECT json_array_length(paid.periods_cents) FROM charges paid WHERE paid.id = NEW.charge_id), 1)
BEGIN
  UPDATE coupon_uses SET cycles_left = cycles_left - 1, full_price_at = CASE WHEN cycles_left = 1 THEN MAX(NEW.ends_at, COALESCE((SELECT s.current_period_ends_at FROM subscriptions s WHERE s.id = NEW.subscription_id), 0)) END
    WHERE subscription_id = NEW.subscription_id AND freed_at IS NULL AND cycles_left > 0;
END;
--> statement-breakpoint
-- Another plan may be by another interval, and reminded of on other days.
DROP TRIGGER subscriptions_calendar_update;
--> statement-breakpoint
CREATE TRIGGER subscriptions_calendar_update AFTER UPDATE OF status, plan_price_id, method, saved_method_id, recurring_pix_id, started_at, current_period_ends_at, access_until, resumes_at ON subscriptions
WHEN NEW.calendar_at IS OLD.calendar_at AND (NEW.status <> OLD.status OR NEW.plan_price_id <> OLD.plan_price_id OR NEW.method <> OLD.method OR NEW.saved_method_id IS NOT OLD.saved_method_id OR NEW.recurring_pix_id IS NOT OLD.recurring_pix_id OR NEW.started_at IS NOT OLD.started_at
  OR NEW.current_period_ends_at IS NOT OLD.current_period_ends_at OR NEW.access_until IS NOT OLD.access_until OR NEW.resumes_at IS NOT OLD.resumes_at)
BEGIN
  UPDATE subscriptions SET
    calendar_at = CASE WHEN NEW.status IN ('incomplete', 'expired') THEN NULL ELSE NEW.updated_at END,
    method_changed_at = CASE WHEN NEW.method <> OLD.method OR NEW.saved_method_id IS NOT OLD.saved_method_id THEN NEW.updated_at ELSE method_changed_at END
    WHERE id = NEW.id;
END;
