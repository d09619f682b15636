ALTER TABLE `charges` ADD `asked_with` text;
--> statement-breakpoint
-- What is booked is what was really taken: where the provider took another amount, the charge becomes that as it is paid, and never after.
DROP TRIGGER charges_update;
--> statement-breakpoint
CREATE TRIGGER charges_update BEFORE UPDATE ON charges
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.status NOT IN ('created', 'awaiting_payment', 'requires_action', 'processing', 'succeeded', 'failed', 'expired', 'canceled', 'partially_refunded', 'refunded', 'disputed', 'dispute_won', 'dispute_lost');
  SELECT RAISE(ABORT, 'immutable_split') WHERE (NEW.amount_cents <> OLD.amount_cents OR NEW.fee_cents <> OLD.fee_cents OR NEW.net_cents <> OLD.net_cents)
    AND (OLD.succeeded_at IS NOT NULL OR NEW.succeeded_at IS NULL OR NEW.amount_cents <= 0 OR NEW.fee_cents < 0 OR NEW.net_cents < 0 OR NEW.fee_cents + NEW.net_cents <> NEW.amount_cents);
  SELECT RAISE(ABORT, 'immutable_over_refund') WHERE NEW.refunded_cents + NEW.disputed_cents > NEW.amount_cents;
END;
