-- The use of a coupon is its contract's: a first payment that went back while others are held leaves it where it is, and the last one to go back frees it.
DROP TRIGGER coupon_uses_freed;
--> statement-breakpoint
CREATE TRIGGER coupon_uses_freed AFTER UPDATE OF status ON charges
WHEN NEW.status IN ('failed', 'expired', 'canceled') AND NEW.status <> OLD.status AND NEW.purchase_kind = 'subscription'
BEGIN
  UPDATE coupons SET uses_count = uses_count - 1 WHERE id = (SELECT coupon_id FROM coupon_uses WHERE charge_id = NEW.id AND freed_at IS NULL);
  UPDATE coupon_uses SET freed_at = NEW.asked_at WHERE charge_id = NEW.id AND freed_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER coupon_uses_given_back AFTER UPDATE OF status ON charges
WHEN NEW.status = 'refunded' AND NEW.status <> OLD.status AND NEW.purchase_kind = 'subscription'
  AND NOT EXISTS (SELECT 1 FROM charges held WHERE held.purchase_kind = 'subscription' AND held.purchase_id = NEW.purchase_id AND held.id <> NEW.id AND held.succeeded_at IS NOT NULL AND held.status <> 'refunded')
BEGIN
  UPDATE coupons SET uses_count = uses_count - 1 WHERE id = (SELECT coupon_id FROM coupon_uses WHERE subscription_id = NEW.purchase_id AND freed_at IS NULL);
  UPDATE coupon_uses SET freed_at = NEW.asked_at WHERE subscription_id = NEW.purchase_id AND freed_at IS NULL;
END;
