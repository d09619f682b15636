CREATE TABLE `trial_setups` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`plan_price_id` text NOT NULL,
	`trial_days` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`coupon` text,
	`status` text NOT NULL,
	`provider_method_id` text,
	`next_action_url` text,
	`failure_code` text,
	`subscription_id` text,
	`expires_at` integer NOT NULL,
	`asked_at` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `trial_setups_person` ON `trial_setups` (`person_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `trial_setups_open` ON `trial_setups` (`asked_at`) WHERE status IN ('created', 'requires_action');--> statement-breakpoint
CREATE INDEX `trial_setups_to_forget` ON `trial_setups` (`asked_at`) WHERE status IN ('failed', 'expired') AND provider_method_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `plans` ADD `trial_days` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `trial_ends_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_one_trial` ON `subscriptions` (`fan_id`,`creator_id`) WHERE trial_ends_at IS NOT NULL;
--> statement-breakpoint
-- Free days are for who never subscribed to this page, once for ever; a courtesy was not theirs to ask for and uses nothing up.
CREATE TRIGGER subscriptions_trial_insert BEFORE INSERT ON subscriptions WHEN NEW.trial_ends_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'immutable_trial_used') WHERE EXISTS (
    SELECT 1 FROM subscriptions s WHERE s.creator_id = NEW.creator_id AND s.fan_id = NEW.fan_id AND s.started_at IS NOT NULL AND s.comp_ends_at IS NULL);
  SELECT RAISE(ABORT, 'immutable_trial') WHERE NEW.status <> 'trialing' OR NEW.started_at IS NULL OR NEW.access_until IS NOT NEW.trial_ends_at OR NEW.current_period_ends_at IS NOT NEW.trial_ends_at OR NEW.comp_ends_at IS NOT NULL;
END;
--> statement-breakpoint
-- What began without free days never has them, and what had them never forgets it.
CREATE TRIGGER subscriptions_trial_update BEFORE UPDATE ON subscriptions
WHEN (NEW.trial_ends_at IS NULL) <> (OLD.trial_ends_at IS NULL)
BEGIN SELECT RAISE(ABORT, 'immutable_trial'); END;
--> statement-breakpoint
CREATE TRIGGER plans_trial_insert BEFORE INSERT ON plans WHEN NEW.trial_days NOT BETWEEN 0 AND 90
BEGIN SELECT RAISE(ABORT, 'immutable_trial_days'); END;
--> statement-breakpoint
CREATE TRIGGER plans_trial_update BEFORE UPDATE OF trial_days ON plans WHEN NEW.trial_days NOT BETWEEN 0 AND 90
BEGIN SELECT RAISE(ABORT, 'immutable_trial_days'); END;
