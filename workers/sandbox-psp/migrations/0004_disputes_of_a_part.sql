-- A bank may fight over a part of a charge, and later over another one: together never over more than is left of it.
DROP INDEX disputes_one_open;
--> statement-breakpoint
CREATE INDEX disputes_charge ON disputes (charge_id);
--> statement-breakpoint
CREATE TRIGGER disputes_within_charge BEFORE INSERT ON disputes
BEGIN
  SELECT RAISE(ABORT, 'ledger_over_dispute') WHERE NEW.amount_cents > (SELECT c.amount_cents - c.refunded_cents FROM charges c WHERE c.id = NEW.charge_id)
    - (SELECT COALESCE(SUM(d.amount_cents), 0) FROM disputes d WHERE d.charge_id = NEW.charge_id AND d.status <> 'won');
END;
