-- A price that was put back, because its period was, may be applied again; one that is paid is applied.
DROP TRIGGER price_consents_update;
--> statement-breakpoint
CREATE TRIGGER price_consents_update BEFORE UPDATE ON price_consents
BEGIN
  SELECT RAISE(ABORT, 'immutable_price_ask') WHERE NEW.subscription_id <> OLD.subscription_id OR NEW.ask_id <> OLD.ask_id OR NEW.from_plan_price_id <> OLD.from_plan_price_id OR NEW.from_amount_cents <> OLD.from_amount_cents
    OR NEW.to_plan_price_id <> OLD.to_plan_price_id OR NEW.to_amount_cents <> OLD.to_amount_cents OR NEW.takes_effect_at <> OLD.takes_effect_at OR (OLD.applied_at IS NOT NULL AND (NEW.state <> OLD.state OR (NEW.applied_at IS NOT NULL AND NEW.applied_at <> OLD.applied_at)));
  SELECT RAISE(ABORT, 'price_not_agreed') WHERE NEW.state NOT IN ('asked', 'accepted', 'kept') OR (NEW.state = 'asked' AND OLD.state <> 'asked') OR (NEW.applied_at IS NOT NULL AND NEW.state <> 'accepted')
    OR (OLD.applied_at IS NOT NULL AND NEW.applied_at IS NULL AND EXISTS (SELECT 1 FROM subscriptions s WHERE s.id = NEW.subscription_id AND s.plan_price_id = NEW.to_plan_price_id));
  SELECT RAISE(ABORT, 'price_not_sold') WHERE ((NEW.applied_at IS NOT NULL AND OLD.applied_at IS NULL) OR NEW.state <> OLD.state) AND EXISTS (SELECT 1 FROM price_asks a WHERE a.id = NEW.ask_id AND a.withdrawn_at IS NOT NULL);
END;
--> statement-breakpoint
-- What somebody subscribes to never costs more than they agreed to, nor before the date that they agreed to: by their answer, or by a plan that they changed to.
DROP TRIGGER subscriptions_price_agreed;
--> statement-breakpoint
CREATE TRIGGER subscriptions_price_agreed BEFORE UPDATE OF amount_cents ON subscriptions
WHEN NEW.amount_cents > OLD.amount_cents AND OLD.status <> 'incomplete'
BEGIN
  SELECT RAISE(ABORT, 'price_not_agreed') WHERE NOT EXISTS (SELECT 1 FROM price_consents c WHERE c.subscription_id = NEW.id AND c.state = 'accepted' AND c.to_plan_price_id = NEW.plan_price_id AND c.to_amount_cents = NEW.amount_cents AND c.takes_effect_at <= NEW.current_period_ends_at)
    AND NOT EXISTS (SELECT 1 FROM plan_changes m WHERE m.subscription_id = NEW.id AND ((m.to_plan_price_id = NEW.plan_price_id AND m.to_amount_cents = NEW.amount_cents) OR (m.from_plan_price_id = NEW.plan_price_id AND m.from_amount_cents = NEW.amount_cents)));
END;
--> statement-breakpoint
-- Whose change of plan is over is looked at: what was asked of who pays their price was not asked of them meanwhile.
CREATE TRIGGER plan_changes_calendar AFTER UPDATE OF state ON plan_changes
WHEN OLD.state IN ('open', 'scheduled', 'paid') AND NEW.state NOT IN ('open', 'scheduled', 'paid') AND NEW.settled_at IS NOT NULL
BEGIN
  UPDATE subscriptions SET calendar_at = NEW.settled_at WHERE id = NEW.subscription_id AND calendar_at > NEW.settled_at;
END;
