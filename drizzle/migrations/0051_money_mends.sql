CREATE TABLE `setbacks` (
	`subject_id` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`next_attempt_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `setbacks_old` ON `setbacks` (`next_attempt_at`);--> statement-breakpoint
DROP INDEX `saved_methods_to_forget`;--> statement-breakpoint
ALTER TABLE `saved_methods` ADD `forgotten_at` integer;--> statement-breakpoint
CREATE INDEX `saved_methods_to_forget` ON `saved_methods` (`removed_at`) WHERE removed_at IS NOT NULL AND forgotten_at IS NULL;--> statement-breakpoint
ALTER TABLE `charge_periods` ADD `is_discounted` integer DEFAULT false NOT NULL;
--> statement-breakpoint
DROP TRIGGER charges_method_kept;
--> statement-breakpoint
-- A provider names a card only when it keeps it, and keeps it only when its person asked: a payment that names one saves it, and says it no more.
-- One that its person removed after they asked stays removed, and is forgotten at the provider once more.
CREATE TRIGGER charges_method_kept AFTER UPDATE OF kept_method_id ON charges WHEN NEW.kept_method_id IS NOT NULL
BEGIN
  INSERT INTO saved_methods (id, person_id, created_at) VALUES (NEW.kept_method_id, NEW.payer_id, NEW.succeeded_at)
    ON CONFLICT (id) DO UPDATE SET removed_at = CASE WHEN NEW.created_at > saved_methods.removed_at THEN NULL ELSE saved_methods.removed_at END, forgotten_at = NULL WHERE saved_methods.removed_at IS NOT NULL;
  UPDATE charges SET kept_method_id = NULL WHERE id = NEW.id;
END;
--> statement-breakpoint
-- What each period of a charge cost is known since it was paid; of a stretch that a pause cut in two it is not, and it shares by days.
UPDATE charge_periods SET amount_cents = (SELECT json_extract(c.periods_cents, '$[' || (SELECT COUNT(*) FROM charge_periods b WHERE b.charge_id = charge_periods.charge_id AND b.starts_at < charge_periods.starts_at) || ']') FROM charges c WHERE c.id = charge_periods.charge_id)
WHERE amount_cents IS NULL AND is_difference = 0 AND charge_id IN (SELECT c.id FROM charges c WHERE c.periods_cents IS NOT NULL
  AND json_array_length(c.periods_cents) = (SELECT COUNT(*) FROM charge_periods n WHERE n.charge_id = c.id) AND NOT EXISTS (SELECT 1 FROM charge_periods d WHERE d.charge_id = c.id AND d.is_difference = 1));
--> statement-breakpoint
-- Which periods a coupon counted until now: the first ones that were covered.
UPDATE charge_periods SET is_discounted = 1 WHERE id IN (
  SELECT id FROM (
    SELECT p.id, ROW_NUMBER() OVER (PARTITION BY p.subscription_id ORDER BY p.position) AS nth, k.cycles - u.cycles_left AS counted
    FROM (SELECT q.rowid AS position, q.id, q.subscription_id, q.charge_id, ROW_NUMBER() OVER (PARTITION BY q.charge_id ORDER BY q.rowid) AS part FROM charge_periods q WHERE q.is_difference = 0) p
    JOIN coupon_uses u ON u.subscription_id = p.subscription_id AND u.freed_at IS NULL
    JOIN coupons k ON k.id = u.coupon_id AND k.cycles IS NOT NULL
    JOIN charges c ON c.id = p.charge_id
    WHERE p.part <= COALESCE(json_array_length(c.periods_cents), 1))
  WHERE nth <= counted);
--> statement-breakpoint
-- A period that a coupon counts says so, so that its count goes back with it, once: what was paid ahead is given back before it begins.
DROP TRIGGER coupon_uses_cycle;
--> statement-breakpoint
CREATE TRIGGER coupon_uses_cycle AFTER INSERT ON charge_periods
WHEN NEW.is_difference = 0 AND (SELECT COUNT(*) FROM charge_periods covered WHERE covered.charge_id = NEW.charge_id) <= COALESCE((SELECT json_array_length(paid.periods_cents) FROM charges paid WHERE paid.id = NEW.charge_id), 1)
BEGIN
  UPDATE charge_periods SET is_discounted = 1 WHERE id = NEW.id AND EXISTS (SELECT 1 FROM coupon_uses held WHERE held.subscription_id = NEW.subscription_id AND held.freed_at IS NULL AND held.cycles_left > 0);
  UPDATE coupon_uses SET cycles_left = cycles_left - 1, full_price_at = CASE WHEN cycles_left = 1 THEN MAX(NEW.ends_at, COALESCE((SELECT s.current_period_ends_at FROM subscriptions s WHERE s.id = NEW.subscription_id), 0)) END
    WHERE subscription_id = NEW.subscription_id AND freed_at IS NULL AND cycles_left > 0;
END;
--> statement-breakpoint
CREATE TRIGGER coupon_cycles_given_back AFTER DELETE ON charge_periods WHEN OLD.is_discounted = 1
BEGIN
  UPDATE coupon_uses SET cycles_left = cycles_left + 1, full_price_at = NULL, told_at = NULL WHERE subscription_id = OLD.subscription_id AND freed_at IS NULL AND cycles_left IS NOT NULL;
END;
--> statement-breakpoint
-- A period at the full price that is not paid any more is when the full price begins.
CREATE TRIGGER coupon_full_price_back AFTER DELETE ON charge_periods WHEN OLD.is_discounted = 0 AND OLD.is_difference = 0
BEGIN
  UPDATE coupon_uses SET full_price_at = OLD.starts_at, told_at = NULL WHERE subscription_id = OLD.subscription_id AND freed_at IS NULL AND full_price_at > OLD.starts_at;
END;
