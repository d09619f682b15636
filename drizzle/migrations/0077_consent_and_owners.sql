-- Until its claim the row says the place that was last looked at: what was consented to for one goes to no other.
CREATE TRIGGER payouts_consent BEFORE UPDATE ON payouts
BEGIN
  SELECT RAISE(ABORT, 'immutable_approval') WHERE NEW.approved_cents IS NOT NULL AND (NEW.pix_key_kind <> OLD.pix_key_kind OR NEW.pix_key <> OLD.pix_key);
END;
