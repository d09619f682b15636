-- As in 0068, with one more wait: the provider refuses our own account there.
DROP TRIGGER payouts_place;--> statement-breakpoint
CREATE TRIGGER payouts_place BEFORE UPDATE ON payouts
BEGIN
  SELECT RAISE(ABORT, 'immutable_owner') WHERE NEW.status = 'claimed' AND NEW.pix_key_kind = 'bank_account' AND (NEW.owner_name IS NULL OR NEW.owner_tax_id IS NULL);
  SELECT RAISE(ABORT, 'immutable_place') WHERE OLD.claimed_at IS NOT NULL AND (NEW.pix_key_kind <> OLD.pix_key_kind OR NEW.pix_key <> OLD.pix_key OR NEW.provider <> OLD.provider OR NEW.owner_name IS NOT OLD.owner_name OR NEW.owner_tax_id IS NOT OLD.owner_tax_id);
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.waits_for IS NOT NULL AND (NEW.waits_for NOT IN ('business_day', 'balance', 'provider') OR NEW.waits_until IS NULL OR NEW.status NOT IN ('requested', 'claimed'));
END;
