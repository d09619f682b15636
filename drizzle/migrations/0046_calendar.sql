DROP INDEX `subscriptions_due`;--> statement-breakpoint
DROP INDEX `subscriptions_debited`;--> statement-breakpoint
DROP INDEX `subscriptions_resuming`;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `calendar_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `method_changed_at` integer;--> statement-breakpoint
CREATE INDEX `subscriptions_calendar` ON `subscriptions` (`calendar_at`,`id`) WHERE calendar_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `charges_period` ON `charges` (`purchase_id`,`period_starts_at`) WHERE period_starts_at IS NOT NULL;
--> statement-breakpoint
-- What is there already is looked at from the first day on which something may be due.
UPDATE subscriptions SET calendar_at = CASE status
    WHEN 'active' THEN current_period_ends_at - 86400000 * CASE "interval" WHEN 'weekly' THEN 3 WHEN 'monthly' THEN 3 WHEN 'quarterly' THEN 7 ELSE 30 END
    WHEN 'canceled' THEN access_until
    WHEN 'paused' THEN resumes_at
    ELSE updated_at END
  WHERE status NOT IN ('incomplete', 'expired') AND current_period_ends_at IS NOT NULL;
--> statement-breakpoint
-- Whatever may change what the calendar asks for has it look at once: a rule that reads the whole subscription says then when it looks again.
CREATE TRIGGER subscriptions_calendar_insert AFTER INSERT ON subscriptions
WHEN NEW.calendar_at IS NULL AND NEW.status NOT IN ('incomplete', 'expired')
BEGIN UPDATE subscriptions SET calendar_at = NEW.updated_at WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_calendar_update AFTER UPDATE OF status, method, saved_method_id, recurring_pix_id, started_at, current_period_ends_at, access_until, resumes_at ON subscriptions
WHEN NEW.calendar_at IS OLD.calendar_at AND (NEW.status <> OLD.status OR NEW.method <> OLD.method OR NEW.saved_method_id IS NOT OLD.saved_method_id OR NEW.recurring_pix_id IS NOT OLD.recurring_pix_id OR NEW.started_at IS NOT OLD.started_at
  OR NEW.current_period_ends_at IS NOT OLD.current_period_ends_at OR NEW.access_until IS NOT OLD.access_until OR NEW.resumes_at IS NOT OLD.resumes_at)
BEGIN
  UPDATE subscriptions SET
    calendar_at = CASE WHEN NEW.status IN ('incomplete', 'expired') THEN NULL ELSE NEW.updated_at END,
    method_changed_at = CASE WHEN NEW.method <> OLD.method OR NEW.saved_method_id IS NOT OLD.saved_method_id THEN NEW.updated_at ELSE method_changed_at END
    WHERE id = NEW.id;
END;
--> statement-breakpoint
-- So does a renewal that ended unpaid.
CREATE TRIGGER charges_calendar AFTER UPDATE OF status ON charges
WHEN NEW.status <> OLD.status AND NEW.status IN ('failed', 'expired', 'canceled') AND NEW.purchase_kind = 'subscription' AND NEW.period_starts_at IS NOT NULL
BEGIN UPDATE subscriptions SET calendar_at = NEW.asked_at WHERE id = NEW.purchase_id AND calendar_at IS NOT NULL; END;
