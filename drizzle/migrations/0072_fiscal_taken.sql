ALTER TABLE `fiscal_batches` ADD `taken_at` integer;--> statement-breakpoint
ALTER TABLE `fiscal_batches` ADD `taken_by` text;
--> statement-breakpoint
DROP TRIGGER fiscal_batches_update;
--> statement-breakpoint
-- A file more is written, until the last; then somebody takes all of them to the city hall, once. Nothing else changes.
CREATE TRIGGER fiscal_batches_update BEFORE UPDATE ON fiscal_batches
BEGIN
  SELECT RAISE(ABORT, 'immutable_invoice') WHERE NEW.month <> OLD.month OR NEW.starts_at <> OLD.starts_at OR NEW.ends_at <> OLD.ends_at
    OR NEW.fees_cents <> OLD.fees_cents OR NEW.invoiced_cents <> OLD.invoiced_cents OR NEW.left_cents <> OLD.left_cents OR NEW.invoices_count <> OLD.invoices_count
    OR NEW.first_number IS NOT OLD.first_number OR NEW.last_number IS NOT OLD.last_number OR NEW.issued_on <> OLD.issued_on OR NEW.created_at <> OLD.created_at
    OR NOT CASE
      WHEN OLD.handed_in_at IS NULL THEN NEW.files_handed_in = OLD.files_handed_in + 1 AND NEW.taken_at IS NULL AND NEW.taken_by IS NULL
      ELSE NEW.handed_in_at IS OLD.handed_in_at AND NEW.files_handed_in = OLD.files_handed_in AND OLD.invoices_count > 0 AND OLD.taken_at IS NULL AND NEW.taken_at IS NOT NULL AND NEW.taken_by IS NOT NULL
    END;
END;
