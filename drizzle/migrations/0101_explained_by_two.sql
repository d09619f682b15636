ALTER TABLE `reconciliation_differences` ADD `explain_asked_by` text;--> statement-breakpoint
ALTER TABLE `reconciliation_differences` ADD `explain_asked_at` integer;
--> statement-breakpoint
DROP TRIGGER reconciliation_differences_update;
--> statement-breakpoint
-- Whoever asked for an explanation does not agree with it themselves.
CREATE TRIGGER reconciliation_differences_update BEFORE UPDATE ON reconciliation_differences
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.state NOT IN ('open', 'repaired', 'explained') OR (NEW.state = 'open') <> (NEW.resolved_at IS NULL) OR (NEW.state = 'explained') <> (NEW.resolved_by IS NOT NULL);
  SELECT RAISE(ABORT, 'explained_alone') WHERE (NEW.explain_asked_by IS NULL) <> (NEW.explain_asked_at IS NULL) OR NEW.resolved_by = NEW.explain_asked_by;
END;
