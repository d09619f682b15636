ALTER TABLE `charge_releases` ADD `disputed_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `charges` ADD `disputed_fee_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `disputes` ADD `pending_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Until now a dispute was over all that was left of its charge: its share of the fee, and what of its parts waits for the decision, are what was left.
UPDATE charges SET disputed_fee_cents = fee_cents - refunded_fee_cents WHERE disputed_cents > 0;
--> statement-breakpoint
UPDATE charge_releases SET disputed_cents = net_cents - taken_cents
WHERE released_at IS NULL AND taken_cents < net_cents AND charge_id IN (SELECT c.id FROM charges c WHERE c.status = 'disputed');
--> statement-breakpoint
UPDATE disputes SET pending_cents = (SELECT COALESCE(SUM(r.disputed_cents), 0) FROM charge_releases r WHERE r.charge_id = disputes.charge_id) WHERE status = 'open';
--> statement-breakpoint
-- Of a part that was released, what a dispute holds is decided later: it is its creator's, or was taken, and never more than it was.
DROP TRIGGER charge_releases_insert;
--> statement-breakpoint
CREATE TRIGGER charge_releases_insert BEFORE INSERT ON charge_releases
WHEN NEW.net_cents < 0 OR NEW.taken_cents <> 0 OR NEW.disputed_cents <> 0 OR NEW.released_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'immutable_release'); END;
--> statement-breakpoint
DROP TRIGGER charge_releases_update;
--> statement-breakpoint
CREATE TRIGGER charge_releases_update BEFORE UPDATE ON charge_releases
WHEN NEW.charge_id <> OLD.charge_id OR NEW.position <> OLD.position OR NEW.net_cents <> OLD.net_cents OR NEW.taken_cents < OLD.taken_cents OR NEW.disputed_cents < 0 OR NEW.taken_cents + NEW.disputed_cents > NEW.net_cents
  OR (OLD.released_at IS NOT NULL AND (NEW.released_at IS NOT OLD.released_at OR NEW.release_at <> OLD.release_at OR NEW.begins_at IS NOT OLD.begins_at OR NEW.disputed_cents >= OLD.disputed_cents OR NEW.taken_cents + NEW.disputed_cents > OLD.taken_cents + OLD.disputed_cents))
BEGIN SELECT RAISE(ABORT, 'immutable_release'); END;
--> statement-breakpoint
-- What a bank took of a charge, or fights over, is not left to go back.
DROP TRIGGER refunds_requested_insert;
--> statement-breakpoint
CREATE TRIGGER refunds_requested_insert BEFORE INSERT ON refunds WHEN NEW.status = 'requested'
BEGIN
  SELECT RAISE(ABORT, 'immutable_refund_waits') WHERE NEW.decided_by IS NOT NULL AND EXISTS (SELECT 1 FROM refunds r WHERE r.charge_id = NEW.charge_id AND r.status = 'requested');
  SELECT RAISE(ABORT, 'ledger_over_refund') WHERE NEW.amount_cents <= 0 OR NOT EXISTS (
    SELECT 1 FROM charges c WHERE c.id = NEW.charge_id AND c.status IN ('succeeded', 'partially_refunded', 'dispute_won')
      AND NEW.amount_cents <= c.amount_cents - c.refunded_cents - c.disputed_cents - (SELECT COALESCE(SUM(r.amount_cents), 0) FROM refunds r WHERE r.charge_id = NEW.charge_id AND r.status = 'requested'));
END;
--> statement-breakpoint
-- Fee and net of the totals are what is left beside what is fought over or was lost.
DROP TRIGGER charges_totalled_insert;
--> statement-breakpoint
DROP TRIGGER charges_totalled_update;
--> statement-breakpoint
CREATE TRIGGER charges_totalled_insert AFTER INSERT ON charges WHEN NEW.succeeded_at IS NOT NULL AND NEW.purchase_kind <> 'debt'
BEGIN
  INSERT INTO transaction_totals (person_id, face, day, state, method, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT NEW.payer_id, 'paid', CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), CASE NEW.status WHEN 'succeeded' THEN 'paid' WHEN 'dispute_won' THEN 'paid' WHEN 'disputed' THEN 'disputed' WHEN 'dispute_lost' THEN 'lost' ELSE 'returned' END, NEW.method, NEW.purchase_kind, 1, NEW.amount_cents, NEW.refunded_cents, NEW.disputed_cents,
    (NEW.fee_cents - NEW.refunded_fee_cents - NEW.disputed_fee_cents), (NEW.net_cents - (NEW.refunded_cents - NEW.refunded_fee_cents) - (NEW.disputed_cents - NEW.disputed_fee_cents))
  WHERE NEW.succeeded_at IS NOT NULL
  ON CONFLICT (person_id, face, day, state, method, kind) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO transaction_totals (person_id, face, day, state, method, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT NEW.creator_id, 'received', CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), CASE NEW.status WHEN 'succeeded' THEN 'paid' WHEN 'dispute_won' THEN 'paid' WHEN 'disputed' THEN 'disputed' WHEN 'dispute_lost' THEN 'lost' ELSE 'returned' END, NEW.method, NEW.purchase_kind, 1, NEW.amount_cents, NEW.refunded_cents, NEW.disputed_cents,
    (NEW.fee_cents - NEW.refunded_fee_cents - NEW.disputed_fee_cents), (NEW.net_cents - (NEW.refunded_cents - NEW.refunded_fee_cents) - (NEW.disputed_cents - NEW.disputed_fee_cents))
  WHERE NEW.succeeded_at IS NOT NULL
  ON CONFLICT (person_id, face, day, state, method, kind) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
END;
--> statement-breakpoint
CREATE TRIGGER charges_totalled_update AFTER UPDATE OF status, succeeded_at, refunded_cents, refunded_fee_cents, disputed_cents, disputed_fee_cents ON charges WHEN (OLD.succeeded_at IS NOT NULL OR NEW.succeeded_at IS NOT NULL) AND NEW.purchase_kind <> 'debt'
BEGIN
  INSERT INTO transaction_totals (person_id, face, day, state, method, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT OLD.payer_id, 'paid', CAST((OLD.succeeded_at - 10800000) / 86400000 AS INTEGER), CASE OLD.status WHEN 'succeeded' THEN 'paid' WHEN 'dispute_won' THEN 'paid' WHEN 'disputed' THEN 'disputed' WHEN 'dispute_lost' THEN 'lost' ELSE 'returned' END, OLD.method, OLD.purchase_kind, -1, -OLD.amount_cents, -OLD.refunded_cents, -OLD.disputed_cents,
    -(OLD.fee_cents - OLD.refunded_fee_cents - OLD.disputed_fee_cents), -(OLD.net_cents - (OLD.refunded_cents - OLD.refunded_fee_cents) - (OLD.disputed_cents - OLD.disputed_fee_cents))
  WHERE OLD.succeeded_at IS NOT NULL
  ON CONFLICT (person_id, face, day, state, method, kind) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO transaction_totals (person_id, face, day, state, method, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT OLD.creator_id, 'received', CAST((OLD.succeeded_at - 10800000) / 86400000 AS INTEGER), CASE OLD.status WHEN 'succeeded' THEN 'paid' WHEN 'dispute_won' THEN 'paid' WHEN 'disputed' THEN 'disputed' WHEN 'dispute_lost' THEN 'lost' ELSE 'returned' END, OLD.method, OLD.purchase_kind, -1, -OLD.amount_cents, -OLD.refunded_cents, -OLD.disputed_cents,
    -(OLD.fee_cents - OLD.refunded_fee_cents - OLD.disputed_fee_cents), -(OLD.net_cents - (OLD.refunded_cents - OLD.refunded_fee_cents) - (OLD.disputed_cents - OLD.disputed_fee_cents))
  WHERE OLD.succeeded_at IS NOT NULL
  ON CONFLICT (person_id, face, day, state, method, kind) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO transaction_totals (person_id, face, day, state, method, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT NEW.payer_id, 'paid', CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), CASE NEW.status WHEN 'succeeded' THEN 'paid' WHEN 'dispute_won' THEN 'paid' WHEN 'disputed' THEN 'disputed' WHEN 'dispute_lost' THEN 'lost' ELSE 'returned' END, NEW.method, NEW.purchase_kind, 1, NEW.amount_cents, NEW.refunded_cents, NEW.disputed_cents,
    (NEW.fee_cents - NEW.refunded_fee_cents - NEW.disputed_fee_cents), (NEW.net_cents - (NEW.refunded_cents - NEW.refunded_fee_cents) - (NEW.disputed_cents - NEW.disputed_fee_cents))
  WHERE NEW.succeeded_at IS NOT NULL
  ON CONFLICT (person_id, face, day, state, method, kind) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO transaction_totals (person_id, face, day, state, method, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT NEW.creator_id, 'received', CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), CASE NEW.status WHEN 'succeeded' THEN 'paid' WHEN 'dispute_won' THEN 'paid' WHEN 'disputed' THEN 'disputed' WHEN 'dispute_lost' THEN 'lost' ELSE 'returned' END, NEW.method, NEW.purchase_kind, 1, NEW.amount_cents, NEW.refunded_cents, NEW.disputed_cents,
    (NEW.fee_cents - NEW.refunded_fee_cents - NEW.disputed_fee_cents), (NEW.net_cents - (NEW.refunded_cents - NEW.refunded_fee_cents) - (NEW.disputed_cents - NEW.disputed_fee_cents))
  WHERE NEW.succeeded_at IS NOT NULL
  ON CONFLICT (person_id, face, day, state, method, kind) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
END;
