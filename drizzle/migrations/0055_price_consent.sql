CREATE TABLE `price_asks` (
	`id` text PRIMARY KEY NOT NULL,
	`plan_id` text NOT NULL,
	`interval` text NOT NULL,
	`plan_price_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`acted_by` text,
	`asked_at` integer NOT NULL,
	`takes_effect_at` integer NOT NULL,
	`withdrawn_at` integer,
	`told_up_to` text,
	`told_all_at` integer,
	`asked_count` integer DEFAULT 0 NOT NULL,
	`accepted_count` integer DEFAULT 0 NOT NULL,
	`kept_count` integer DEFAULT 0 NOT NULL,
	`lowered_count` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `price_asks_price` ON `price_asks` (`plan_price_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `price_asks_open` ON `price_asks` (`plan_id`,`interval`) WHERE withdrawn_at IS NULL;--> statement-breakpoint
CREATE INDEX `price_asks_of` ON `price_asks` (`plan_id`,`asked_at`);--> statement-breakpoint
CREATE INDEX `price_asks_to_tell` ON `price_asks` (`asked_at`) WHERE told_all_at IS NULL AND withdrawn_at IS NULL;--> statement-breakpoint
CREATE TABLE `price_consents` (
	`subscription_id` text NOT NULL,
	`ask_id` text NOT NULL,
	`from_plan_price_id` text NOT NULL,
	`from_amount_cents` integer NOT NULL,
	`to_plan_price_id` text NOT NULL,
	`to_amount_cents` integer NOT NULL,
	`takes_effect_at` integer NOT NULL,
	`state` text NOT NULL,
	`answered_at` integer,
	`answered_by` text,
	`applied_at` integer,
	`remind_at` integer,
	`reminded_at` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`subscription_id`, `ask_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `price_consents_to_remind` ON `price_consents` (`remind_at`) WHERE state = 'asked' AND remind_at IS NOT NULL AND reminded_at IS NULL;--> statement-breakpoint
CREATE INDEX `subscriptions_at_price` ON `subscriptions` (`plan_price_id`,`id`) WHERE status NOT IN ('incomplete', 'expired');
--> statement-breakpoint
-- A price is asked for thirty days ahead, while it is sold, and what was asked never changes.
CREATE TRIGGER price_asks_insert BEFORE INSERT ON price_asks
BEGIN
  SELECT RAISE(ABORT, 'price_ask_too_soon') WHERE NEW.takes_effect_at < NEW.asked_at + 2592000000;
  SELECT RAISE(ABORT, 'price_not_sold') WHERE NEW.withdrawn_at IS NOT NULL OR NOT EXISTS (SELECT 1 FROM plan_prices p JOIN plans l ON l.id = p.plan_id AND l.state = 'active'
    WHERE p.id = NEW.plan_price_id AND p.plan_id = NEW.plan_id AND p.interval = NEW.interval AND p.amount_cents = NEW.amount_cents AND p.retired_at IS NULL);
END;
--> statement-breakpoint
CREATE TRIGGER price_asks_update BEFORE UPDATE ON price_asks
BEGIN
  SELECT RAISE(ABORT, 'immutable_price_ask') WHERE NEW.id <> OLD.id OR NEW.plan_id <> OLD.plan_id OR NEW.interval <> OLD.interval OR NEW.plan_price_id <> OLD.plan_price_id OR NEW.amount_cents <> OLD.amount_cents
    OR NEW.asked_at <> OLD.asked_at OR NEW.takes_effect_at <> OLD.takes_effect_at OR (OLD.withdrawn_at IS NOT NULL AND NEW.withdrawn_at IS NOT OLD.withdrawn_at);
END;
--> statement-breakpoint
-- Who asks for another price, or sells no more, asks for this one no longer.
CREATE TRIGGER price_asks_retired AFTER UPDATE OF retired_at ON plan_prices
WHEN NEW.retired_at IS NOT NULL AND OLD.retired_at IS NULL
BEGIN
  UPDATE price_asks SET withdrawn_at = NEW.retired_at WHERE plan_price_id = NEW.id AND withdrawn_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER price_asks_archived AFTER UPDATE OF state ON plans
WHEN NEW.state = 'archived' AND OLD.state <> 'archived'
BEGIN
  UPDATE price_asks SET withdrawn_at = NEW.updated_at WHERE plan_id = NEW.id AND withdrawn_at IS NULL;
END;
--> statement-breakpoint
-- Only less is agreed to without being asked, and only who accepted pays it.
CREATE TRIGGER price_consents_insert BEFORE INSERT ON price_consents
BEGIN
  SELECT RAISE(ABORT, 'price_not_agreed') WHERE NEW.state NOT IN ('asked', 'accepted') OR (NEW.state = 'accepted' AND NEW.to_amount_cents >= NEW.from_amount_cents) OR (NEW.state = 'asked' AND NEW.applied_at IS NOT NULL);
  SELECT RAISE(ABORT, 'immutable_price_ask') WHERE NOT EXISTS (SELECT 1 FROM price_asks a WHERE a.id = NEW.ask_id AND a.plan_price_id = NEW.to_plan_price_id AND a.amount_cents = NEW.to_amount_cents AND a.withdrawn_at IS NULL
    AND (NEW.to_amount_cents < NEW.from_amount_cents OR NEW.takes_effect_at >= a.takes_effect_at));
END;
--> statement-breakpoint
CREATE TRIGGER price_consents_update BEFORE UPDATE ON price_consents
BEGIN
  SELECT RAISE(ABORT, 'immutable_price_ask') WHERE NEW.subscription_id <> OLD.subscription_id OR NEW.ask_id <> OLD.ask_id OR NEW.from_plan_price_id <> OLD.from_plan_price_id OR NEW.from_amount_cents <> OLD.from_amount_cents
    OR NEW.to_plan_price_id <> OLD.to_plan_price_id OR NEW.to_amount_cents <> OLD.to_amount_cents OR NEW.takes_effect_at <> OLD.takes_effect_at OR (OLD.applied_at IS NOT NULL AND (NEW.state <> OLD.state OR NEW.applied_at IS NOT OLD.applied_at));
  SELECT RAISE(ABORT, 'price_not_agreed') WHERE NEW.state NOT IN ('asked', 'accepted', 'kept') OR (NEW.state = 'asked' AND OLD.state <> 'asked') OR (NEW.applied_at IS NOT NULL AND NEW.state <> 'accepted');
  SELECT RAISE(ABORT, 'price_not_sold') WHERE (NEW.applied_at IS NOT OLD.applied_at OR NEW.state <> OLD.state) AND EXISTS (SELECT 1 FROM price_asks a WHERE a.id = NEW.ask_id AND a.withdrawn_at IS NOT NULL);
END;
--> statement-breakpoint
-- How many answered what, counted where they answer.
CREATE TRIGGER price_consents_counted AFTER INSERT ON price_consents
BEGIN
  UPDATE price_asks SET asked_count = asked_count + (NEW.state = 'asked'), lowered_count = lowered_count + (NEW.state = 'accepted') WHERE id = NEW.ask_id;
END;
--> statement-breakpoint
CREATE TRIGGER price_consents_answered AFTER UPDATE OF state ON price_consents
WHEN NEW.state <> OLD.state
BEGIN
  UPDATE price_asks SET asked_count = asked_count - (OLD.state = 'asked'), accepted_count = accepted_count + (NEW.state = 'accepted') - (OLD.state = 'accepted'), kept_count = kept_count + (NEW.state = 'kept') - (OLD.state = 'kept') WHERE id = NEW.ask_id;
END;
--> statement-breakpoint
-- What somebody subscribes to never costs more than they agreed to: by their answer, or by a plan that they changed to.
CREATE TRIGGER subscriptions_price_agreed BEFORE UPDATE OF amount_cents ON subscriptions
WHEN NEW.amount_cents > OLD.amount_cents AND OLD.status <> 'incomplete'
BEGIN
  SELECT RAISE(ABORT, 'price_not_agreed') WHERE NOT EXISTS (SELECT 1 FROM price_consents c WHERE c.subscription_id = NEW.id AND c.state = 'accepted' AND c.to_plan_price_id = NEW.plan_price_id AND c.to_amount_cents = NEW.amount_cents)
    AND NOT EXISTS (SELECT 1 FROM plan_changes m WHERE m.subscription_id = NEW.id AND ((m.to_plan_price_id = NEW.plan_price_id AND m.to_amount_cents = NEW.amount_cents) OR (m.from_plan_price_id = NEW.plan_price_id AND m.from_amount_cents = NEW.amount_cents)));
END;
