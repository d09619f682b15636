-- A pause cuts what a charge covers in two, while its subscription is paused: the second part was counted with the first. Nothing is paid while it rests.
DROP TRIGGER coupon_uses_cycle;
--> statement-breakpoint
CREATE TRIGGER coupon_uses_cycle AFTER INSERT ON charge_periods
WHEN NOT EXISTS (SELECT 1 FROM subscriptions resting WHERE resting.id = NEW.subscription_id AND resting.status = 'paused')
BEGIN
  UPDATE coupon_uses SET cycles_left = cycles_left - 1, full_price_at = CASE WHEN cycles_left = 1 THEN NEW.ends_at END
    WHERE subscription_id = NEW.subscription_id AND freed_at IS NULL AND cycles_left > 0;
END;
