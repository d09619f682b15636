CREATE TABLE `pix_key_owners` (
	`creator_id` text PRIMARY KEY NOT NULL,
	`pix_key_kind` text NOT NULL,
	`pix_key` text NOT NULL,
	`owner_name` text,
	`owner_tax_id` text,
	`asked_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
-- As in 0061, with one more reason: the key is not of whom the papers are.
DROP TRIGGER payouts_desk;--> statement-breakpoint
CREATE TRIGGER payouts_desk BEFORE UPDATE ON payouts
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.status = 'held' AND (NEW.held_reason IS NULL OR NEW.held_reason NOT IN ('documents', 'changed_method', 'moderation', 'approval', 'owner_differs'));
  SELECT RAISE(ABORT, 'immutable_sent') WHERE NEW.status = 'canceled' AND OLD.status NOT IN ('requested', 'held', 'canceled');
  SELECT RAISE(ABORT, 'immutable_hold') WHERE NEW.status = 'claimed' AND OLD.status IN ('requested', 'held') AND EXISTS (SELECT 1 FROM payout_holds h WHERE h.creator_id = NEW.creator_id AND h.ended_at IS NULL);
  SELECT RAISE(ABORT, 'immutable_approval') WHERE NEW.status = 'claimed' AND OLD.status IN ('requested', 'held') AND NEW.approved_cents IS NOT NULL AND NEW.amount_cents > NEW.approved_cents;
  SELECT RAISE(ABORT, 'immutable_approver') WHERE NEW.approved_by IS NOT NULL AND (NEW.approved_by = NEW.creator_id OR NEW.approved_by IS NEW.acted_by);
END;
--> statement-breakpoint
-- As in 0074, with one more wait: nobody said yet whose the key is. It is only of what is not claimed.
DROP TRIGGER payouts_place;--> statement-breakpoint
CREATE TRIGGER payouts_place BEFORE UPDATE ON payouts
BEGIN
  SELECT RAISE(ABORT, 'immutable_owner') WHERE NEW.status = 'claimed' AND NEW.pix_key_kind = 'bank_account' AND (NEW.owner_name IS NULL OR NEW.owner_tax_id IS NULL);
  SELECT RAISE(ABORT, 'immutable_place') WHERE OLD.claimed_at IS NOT NULL AND (NEW.pix_key_kind <> OLD.pix_key_kind OR NEW.pix_key <> OLD.pix_key OR NEW.provider <> OLD.provider OR NEW.owner_name IS NOT OLD.owner_name OR NEW.owner_tax_id IS NOT OLD.owner_tax_id);
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.waits_for IS NOT NULL AND (NEW.waits_for NOT IN ('business_day', 'balance', 'provider', 'key_owner') OR NEW.waits_until IS NULL OR NEW.status NOT IN ('requested', 'claimed'));
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.waits_for = 'key_owner' AND NEW.status <> 'requested';
END;
--> statement-breakpoint
ALTER TABLE `payouts` ADD `unsure_since` integer;--> statement-breakpoint
DROP TRIGGER payouts_set_off;--> statement-breakpoint
-- What was claimed before it was written down when it was asked for may have been asked for since its claim.
UPDATE payouts SET unsure_since = claimed_at, send_asked_at = COALESCE(send_asked_at, claimed_at) WHERE status IN ('claimed', 'sent') AND claimed_at IS NOT NULL;
--> statement-breakpoint
-- As in 0080; and what was asked for may be there from the first ask on, until one of which it is known that it came to nothing.
CREATE TRIGGER payouts_set_off BEFORE UPDATE ON payouts
BEGIN
  SELECT RAISE(ABORT, 'immutable_hold') WHERE NEW.send_asked_at IS NOT OLD.send_asked_at AND EXISTS (SELECT 1 FROM payout_holds h WHERE h.creator_id = NEW.creator_id AND h.ended_at IS NULL);
  SELECT RAISE(ABORT, 'immutable_sent') WHERE NEW.failure_code = 'held_before_sending' AND NEW.status = 'failed' AND OLD.status <> 'failed' AND (OLD.status <> 'claimed' OR NEW.settled_at - OLD.send_asked_at < 900000);
  SELECT RAISE(ABORT, 'immutable_sent') WHERE (NEW.send_asked_at IS NOT OLD.send_asked_at AND NEW.unsure_since IS NULL) OR (OLD.unsure_since IS NOT NULL AND NEW.unsure_since IS NULL);
END;
