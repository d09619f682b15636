ALTER TABLE `documents` ADD `told_birth_date` text;
--> statement-breakpoint
DROP TRIGGER fiscal_fees_no_update;
--> statement-breakpoint
-- Nothing of an invoice changes, but who took the service is forgotten five years after the year of its month, as the last invoiced month says which year it is.
CREATE TRIGGER fiscal_fees_no_update BEFORE UPDATE ON fiscal_fees
BEGIN
  SELECT RAISE(ABORT, 'immutable_invoice') WHERE NEW.taker_name IS NOT NULL OR NEW.tax_kind IS NOT NULL OR NEW.tax_id IS NOT NULL
    OR NEW.rowid <> OLD.rowid OR NEW.month <> OLD.month OR NEW.creator_id <> OLD.creator_id OR NEW.fee_cents <> OLD.fee_cents OR NEW.carried_cents <> OLD.carried_cents
    OR NEW.invoiced_cents <> OLD.invoiced_cents OR NEW.left_cents <> OLD.left_cents OR NEW.number IS NOT OLD.number
    OR NOT EXISTS (SELECT 1 FROM fiscal_batches b WHERE CAST(substr(b.month, 1, 4) AS INTEGER) - 5 > CAST(substr(OLD.month, 1, 4) AS INTEGER));
END;
