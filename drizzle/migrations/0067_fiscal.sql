CREATE TABLE `fiscal_batches` (
	`month` text PRIMARY KEY NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`fees_cents` integer NOT NULL,
	`invoiced_cents` integer NOT NULL,
	`left_cents` integer NOT NULL,
	`invoices_count` integer NOT NULL,
	`first_number` integer,
	`last_number` integer,
	`issued_on` text NOT NULL,
	`files_handed_in` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`handed_in_at` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `fiscal_fees` (
	`month` text NOT NULL,
	`creator_id` text NOT NULL,
	`fee_cents` integer NOT NULL,
	`carried_cents` integer NOT NULL,
	`invoiced_cents` integer NOT NULL,
	`left_cents` integer NOT NULL,
	`number` integer,
	`taker_name` text,
	`tax_kind` text,
	`tax_id` text,
	PRIMARY KEY(`month`, `creator_id`)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `fiscal_fees_number` ON `fiscal_fees` (`number`) WHERE number IS NOT NULL;--> statement-breakpoint
CREATE INDEX `fiscal_fees_creator` ON `fiscal_fees` (`creator_id`,`month`);--> statement-breakpoint
ALTER TABLE `billing_details` ADD `for_invoices_at` integer;
--> statement-breakpoint
-- A month is invoiced once, after the one before it, when its books are sealed.
CREATE TRIGGER fiscal_batches_insert BEFORE INSERT ON fiscal_batches
BEGIN
  SELECT RAISE(ABORT, 'immutable_invoice') WHERE EXISTS (SELECT 1 FROM fiscal_batches b WHERE b.month >= NEW.month)
    OR NOT EXISTS (SELECT 1 FROM ledger_seals s WHERE s.month = NEW.month AND s.ends_at = NEW.ends_at)
    OR NEW.fees_cents <> (SELECT COALESCE(-SUM(e.amount_cents), 0) FROM ledger_entries e WHERE e.account_id = 'platform_fees' AND e.posted_at >= NEW.starts_at AND e.posted_at < NEW.ends_at)
    OR NEW.invoices_count <> COALESCE(NEW.last_number - NEW.first_number + 1, 0);
END;
--> statement-breakpoint
CREATE TRIGGER fiscal_batches_update BEFORE UPDATE ON fiscal_batches
BEGIN
  SELECT RAISE(ABORT, 'immutable_invoice') WHERE OLD.handed_in_at IS NOT NULL OR NEW.files_handed_in <> OLD.files_handed_in + 1 OR NEW.month <> OLD.month OR NEW.starts_at <> OLD.starts_at OR NEW.ends_at <> OLD.ends_at
    OR NEW.fees_cents <> OLD.fees_cents OR NEW.invoiced_cents <> OLD.invoiced_cents OR NEW.left_cents <> OLD.left_cents OR NEW.invoices_count <> OLD.invoices_count
    OR NEW.first_number IS NOT OLD.first_number OR NEW.last_number IS NOT OLD.last_number OR NEW.issued_on <> OLD.issued_on OR NEW.created_at <> OLD.created_at;
END;
--> statement-breakpoint
CREATE TRIGGER fiscal_batches_no_delete BEFORE DELETE ON fiscal_batches
BEGIN SELECT RAISE(ABORT, 'immutable_invoice'); END;
--> statement-breakpoint
-- Nothing is lost between months, an invoice is of something and of somebody, and its number follows the last one.
CREATE TRIGGER fiscal_fees_insert BEFORE INSERT ON fiscal_fees
BEGIN
  SELECT RAISE(ABORT, 'immutable_invoice') WHERE EXISTS (SELECT 1 FROM fiscal_batches b WHERE b.month >= NEW.month)
    OR EXISTS (SELECT 1 FROM fiscal_fees f WHERE f.month = NEW.month AND f.creator_id = NEW.creator_id)
    OR NEW.fee_cents + NEW.carried_cents <> NEW.invoiced_cents + NEW.left_cents OR NEW.invoiced_cents < 0
    OR (NEW.invoiced_cents > 0) <> (NEW.number IS NOT NULL)
    OR (NEW.number IS NOT NULL AND (NEW.tax_id IS NULL OR NEW.tax_kind IS NULL OR NEW.taker_name IS NULL OR NEW.number <> COALESCE((SELECT MAX(f.number) FROM fiscal_fees f), 0) + 1));
END;
--> statement-breakpoint
CREATE TRIGGER fiscal_fees_no_update BEFORE UPDATE ON fiscal_fees
BEGIN SELECT RAISE(ABORT, 'immutable_invoice'); END;
--> statement-breakpoint
CREATE TRIGGER fiscal_fees_no_delete BEFORE DELETE ON fiscal_fees
BEGIN SELECT RAISE(ABORT, 'immutable_invoice'); END;
