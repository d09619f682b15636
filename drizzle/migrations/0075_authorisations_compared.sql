-- A night compares authorisations of Pix Automático too: two more steps.
DROP TRIGGER reconciliation_runs_insert;
--> statement-breakpoint
CREATE TRIGGER reconciliation_runs_insert BEFORE INSERT ON reconciliation_runs
BEGIN SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.step NOT IN ('again', 'charges', 'refunds', 'transfers', 'disputes', 'authorisations', 'our_charges', 'our_refunds', 'our_transfers', 'our_authorisations', 'forget', 'done'); END;
--> statement-breakpoint
DROP TRIGGER reconciliation_runs_update;
--> statement-breakpoint
CREATE TRIGGER reconciliation_runs_update BEFORE UPDATE ON reconciliation_runs
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.step NOT IN ('again', 'charges', 'refunds', 'transfers', 'disputes', 'authorisations', 'our_charges', 'our_refunds', 'our_transfers', 'our_authorisations', 'forget', 'done');
  SELECT RAISE(ABORT, 'immutable_run') WHERE OLD.finished_at IS NOT NULL OR (NEW.finished_at IS NOT NULL) <> (NEW.step = 'done');
END;
