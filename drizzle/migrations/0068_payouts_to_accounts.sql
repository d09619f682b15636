ALTER TABLE `payouts` ADD `owner_name` text;--> statement-breakpoint
ALTER TABLE `payouts` ADD `owner_tax_id` text;--> statement-breakpoint
ALTER TABLE `payouts` ADD `waits_for` text;--> statement-breakpoint
ALTER TABLE `payouts` ADD `waits_until` integer;--> statement-breakpoint
CREATE INDEX `payouts_waiting` ON `payouts` (`waits_for`,`requested_at`) WHERE waits_for IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER withdrawal_methods_line_insert BEFORE INSERT ON withdrawal_methods
WHEN NEW.pix_key_kind = 'bank_account'
BEGIN
  SELECT RAISE(ABORT, 'immutable_account') WHERE substr(NEW.pix_key, 1, 4) NOT GLOB '[0-9][0-9][0-9] ' OR substr(NEW.pix_key, 5, 5) NOT GLOB '[0-9][0-9][0-9][0-9] ' OR substr(NEW.pix_key, 10) NOT GLOB '[0-9]*-[0-9A-Z] *' OR (NEW.pix_key NOT LIKE '% checking' AND NEW.pix_key NOT LIKE '% savings' AND NEW.pix_key NOT LIKE '% payment');
END;
--> statement-breakpoint
CREATE TRIGGER withdrawal_methods_line_update BEFORE UPDATE ON withdrawal_methods
WHEN NEW.pix_key_kind = 'bank_account'
BEGIN
  SELECT RAISE(ABORT, 'immutable_account') WHERE substr(NEW.pix_key, 1, 4) NOT GLOB '[0-9][0-9][0-9] ' OR substr(NEW.pix_key, 5, 5) NOT GLOB '[0-9][0-9][0-9][0-9] ' OR substr(NEW.pix_key, 10) NOT GLOB '[0-9]*-[0-9A-Z] *' OR (NEW.pix_key NOT LIKE '% checking' AND NEW.pix_key NOT LIKE '% savings' AND NEW.pix_key NOT LIKE '% payment');
END;
--> statement-breakpoint
-- A transfer is asked for with the same words however often: what was claimed keeps its place and its owner. What waits did not reach a provider.
CREATE TRIGGER payouts_place BEFORE UPDATE ON payouts
BEGIN
  SELECT RAISE(ABORT, 'immutable_owner') WHERE NEW.status = 'claimed' AND NEW.pix_key_kind = 'bank_account' AND (NEW.owner_name IS NULL OR NEW.owner_tax_id IS NULL);
  SELECT RAISE(ABORT, 'immutable_place') WHERE OLD.claimed_at IS NOT NULL AND (NEW.pix_key_kind <> OLD.pix_key_kind OR NEW.pix_key <> OLD.pix_key OR NEW.provider <> OLD.provider OR NEW.owner_name IS NOT OLD.owner_name OR NEW.owner_tax_id IS NOT OLD.owner_tax_id);
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.waits_for IS NOT NULL AND (NEW.waits_for NOT IN ('business_day', 'balance') OR NEW.waits_until IS NULL OR NEW.status NOT IN ('requested', 'claimed'));
END;
