ALTER TABLE `subscriptions` ADD `comp_ends_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `comped_by` text;--> statement-breakpoint
CREATE INDEX `subscribers_comped` ON `subscriptions` (`creator_id`,`created_at`,`id`) WHERE comp_ends_at IS NOT NULL AND started_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscriptions_comps_due` ON `subscriptions` (`comp_ends_at`) WHERE comp_ends_at IS NOT NULL AND status = 'active';
--> statement-breakpoint
-- A courtesy costs nothing and is never charged: it is given once and for so long, is active or over, and no charge can name it.
CREATE TRIGGER subscriptions_comp_insert BEFORE INSERT ON subscriptions
WHEN (NEW.comp_ends_at IS NULL) <> (NEW.comped_by IS NULL) OR (NEW.comp_ends_at IS NOT NULL AND (NEW.amount_cents <> 0 OR NEW.status <> 'active' OR NEW.access_until IS NOT NEW.comp_ends_at OR NEW.current_period_ends_at IS NOT NULL OR NEW.saved_method_id IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'immutable_comp'); END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_comp_update BEFORE UPDATE ON subscriptions
WHEN NEW.comp_ends_at IS NOT OLD.comp_ends_at OR (OLD.comp_ends_at IS NOT NULL AND (NEW.amount_cents <> 0 OR NEW.status NOT IN ('active', 'expired') OR (OLD.status = 'expired' AND NEW.status <> 'expired')
  OR (NEW.status = 'active' AND NEW.access_until IS NOT OLD.comp_ends_at) OR NEW.current_period_ends_at IS NOT NULL OR NEW.saved_method_id IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'immutable_comp'); END;
--> statement-breakpoint
CREATE TRIGGER charges_never_comp BEFORE INSERT ON charges WHEN NEW.purchase_kind = 'subscription'
BEGIN SELECT RAISE(ABORT, 'immutable_comp') WHERE EXISTS (SELECT 1 FROM subscriptions s WHERE s.id = NEW.purchase_id AND s.comp_ends_at IS NOT NULL); END;
