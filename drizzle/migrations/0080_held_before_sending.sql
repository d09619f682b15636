ALTER TABLE `payouts` ADD `send_asked_at` integer;--> statement-breakpoint
-- What is held does not set off, and what set off is not given back while a call of it may still arrive.
CREATE TRIGGER payouts_set_off BEFORE UPDATE ON payouts
BEGIN
  SELECT RAISE(ABORT, 'immutable_hold') WHERE NEW.send_asked_at IS NOT OLD.send_asked_at AND EXISTS (SELECT 1 FROM payout_holds h WHERE h.creator_id = NEW.creator_id AND h.ended_at IS NULL);
  SELECT RAISE(ABORT, 'immutable_sent') WHERE NEW.failure_code = 'held_before_sending' AND NEW.status = 'failed' AND OLD.status <> 'failed' AND (OLD.status <> 'claimed' OR NEW.settled_at - OLD.send_asked_at < 900000);
END;
