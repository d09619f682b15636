ALTER TABLE `refund_transfers` ADD `disputed_by` text;--> statement-breakpoint
CREATE INDEX `refund_transfers_disputed` ON `refund_transfers` (`disputed_by`) WHERE disputed_by IS NOT NULL;--> statement-breakpoint
-- What is held now, or was taken back by a lost dispute, was fought over in that one.
UPDATE refund_transfers SET disputed_by = held_by WHERE held_by IS NOT NULL;--> statement-breakpoint
DROP TRIGGER refund_transfers_update;--> statement-breakpoint
CREATE TRIGGER refund_transfers_update BEFORE UPDATE ON refund_transfers
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.status <> OLD.status AND NOT (
    (OLD.status = 'awaiting_key' AND NEW.status IN ('ready', 'canceled')) OR (OLD.status = 'ready' AND NEW.status IN ('claimed', 'canceled'))
    OR (OLD.status = 'claimed' AND NEW.status IN ('sent', 'paid', 'failed')) OR (OLD.status = 'sent' AND NEW.status IN ('paid', 'failed')) OR (OLD.status = 'paid' AND NEW.status = 'returned'));
  SELECT RAISE(ABORT, 'immutable_refund_transfer') WHERE NEW.id <> OLD.id OR NEW.refund_id <> OLD.refund_id OR NEW.charge_id <> OLD.charge_id OR NEW.payer_id <> OLD.payer_id OR NEW.amount_cents <> OLD.amount_cents
    OR (OLD.status NOT IN ('awaiting_key', 'ready') AND (NEW.provider IS NOT OLD.provider OR NEW.held_by IS NOT OLD.held_by OR NEW.disputed_by IS NOT OLD.disputed_by OR (NEW.pix_key IS NOT NULL AND NEW.pix_key IS NOT OLD.pix_key)));
  SELECT RAISE(ABORT, 'immutable_refund_transfer') WHERE NEW.status = 'claimed' AND OLD.status = 'ready' AND (NEW.held_by IS NOT NULL OR NEW.pix_key IS NULL OR NEW.pix_key_kind IS NULL OR NEW.provider IS NULL);
  -- A dispute that held it is told from what became of the hold: it is never forgotten, and what is held is held by the one written down.
  SELECT RAISE(ABORT, 'immutable_refund_transfer') WHERE (OLD.disputed_by IS NOT NULL AND NEW.disputed_by IS NULL) OR (NEW.held_by IS NOT NULL AND NEW.held_by IS NOT NEW.disputed_by);
END;
