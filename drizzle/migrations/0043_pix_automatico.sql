CREATE TABLE `recurring_pix` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`payer_id` text NOT NULL,
	`provider` text NOT NULL,
	`provider_recurring_pix_id` text,
	`interval` text NOT NULL,
	`amount_cents` integer,
	`ceiling_cents` integer NOT NULL,
	`least_cents` integer NOT NULL,
	`starts_on` text NOT NULL,
	`first_charge_id` text NOT NULL,
	`status` text NOT NULL,
	`expires_at` integer NOT NULL,
	`attached_at` integer,
	`ending_at` integer,
	`ended_at` integer,
	`asked_at` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `recurring_pix_provider` ON `recurring_pix` (`provider`,`provider_recurring_pix_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `recurring_pix_first_charge` ON `recurring_pix` (`first_charge_id`);--> statement-breakpoint
CREATE INDEX `recurring_pix_subscription` ON `recurring_pix` (`subscription_id`,`status`);--> statement-breakpoint
CREATE INDEX `recurring_pix_payer` ON `recurring_pix` (`payer_id`,`status`);--> statement-breakpoint
CREATE INDEX `recurring_pix_living` ON `recurring_pix` (`asked_at`) WHERE status IN ('created', 'active');--> statement-breakpoint
ALTER TABLE `charges` ADD `recurring_pix_id` text;--> statement-breakpoint
ALTER TABLE `charges` ADD `debit_on` text;--> statement-breakpoint
CREATE INDEX `charges_debited` ON `charges` (`status`,`asked_at`) WHERE debit_on IS NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `recurring_pix_id` text;--> statement-breakpoint
CREATE INDEX `subscriptions_debited` ON `subscriptions` (`current_period_ends_at`) WHERE recurring_pix_id IS NOT NULL AND status = 'active';--> statement-breakpoint
CREATE TRIGGER recurring_pix_state_insert BEFORE INSERT ON recurring_pix
WHEN NEW.status NOT IN ('created', 'active', 'rejected', 'canceled', 'expired') OR NEW.least_cents <= 0 OR NEW.least_cents > NEW.ceiling_cents OR NEW.amount_cents NOT BETWEEN NEW.least_cents AND NEW.ceiling_cents
BEGIN SELECT RAISE(ABORT, 'unknown_state'); END;
--> statement-breakpoint
CREATE TRIGGER recurring_pix_update BEFORE UPDATE ON recurring_pix
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.status NOT IN ('created', 'active', 'rejected', 'canceled', 'expired');
  SELECT RAISE(ABORT, 'immutable_consent') WHERE NEW.amount_cents IS NOT OLD.amount_cents OR NEW.ceiling_cents <> OLD.ceiling_cents OR NEW.subscription_id <> OLD.subscription_id OR NEW.payer_id <> OLD.payer_id;
END;
--> statement-breakpoint
-- Only what the bank let be debited, and nobody is ending, pays renewals.
CREATE TRIGGER recurring_pix_detached AFTER UPDATE OF status, ending_at ON recurring_pix WHEN NEW.status <> 'active' OR NEW.ending_at IS NOT NULL
BEGIN
  UPDATE subscriptions SET recurring_pix_id = NULL WHERE id = NEW.subscription_id AND recurring_pix_id = NEW.id;
END;
--> statement-breakpoint
-- Whatever ends a subscription ends what its person's bank lets be debited for it.
CREATE TRIGGER subscriptions_end_recurring_pix AFTER UPDATE OF status ON subscriptions WHEN NEW.status = 'expired' AND OLD.status <> 'expired'
BEGIN
  UPDATE recurring_pix SET ending_at = NEW.updated_at WHERE subscription_id = NEW.id AND status IN ('created', 'active') AND ending_at IS NULL;
END;
--> statement-breakpoint
-- A new authorisation takes the place of the one before.
CREATE TRIGGER subscriptions_replace_recurring_pix AFTER UPDATE OF recurring_pix_id ON subscriptions WHEN NEW.recurring_pix_id IS NOT NULL AND NEW.recurring_pix_id IS NOT OLD.recurring_pix_id
BEGIN
  UPDATE recurring_pix SET ending_at = NEW.updated_at WHERE subscription_id = NEW.id AND id <> NEW.recurring_pix_id AND status IN ('created', 'active') AND ending_at IS NULL;
END;
