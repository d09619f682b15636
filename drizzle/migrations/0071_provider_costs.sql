CREATE TABLE `write_offs` (
	`id` text PRIMARY KEY NOT NULL,
	`creator_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`reason` text NOT NULL,
	`decided_by` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `write_offs_creator` ON `write_offs` (`creator_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `charges` ADD `cost_cents` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `charges_one_debt` ON `charges` (`payer_id`) WHERE purchase_kind = 'debt' AND status IN ('created', 'awaiting_payment', 'requires_action', 'processing');--> statement-breakpoint
ALTER TABLE `disputes` ADD `cost_cents` integer;--> statement-breakpoint
ALTER TABLE `refund_transfers` ADD `cost_cents` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `cost_cents` integer;--> statement-breakpoint
ALTER TABLE `payouts` ADD `cost_cents` integer;
--> statement-breakpoint
CREATE TRIGGER write_offs_insert BEFORE INSERT ON write_offs
WHEN NEW.amount_cents <= 0 OR NEW.reason = '' OR NEW.decided_by = NEW.creator_id
BEGIN SELECT RAISE(ABORT, 'immutable_write_off'); END;
--> statement-breakpoint
CREATE TRIGGER write_offs_no_update BEFORE UPDATE ON write_offs
BEGIN SELECT RAISE(ABORT, 'immutable_log'); END;
--> statement-breakpoint
CREATE TRIGGER write_offs_no_delete BEFORE DELETE ON write_offs
BEGIN SELECT RAISE(ABORT, 'immutable_log'); END;
--> statement-breakpoint
-- What a provider took for a thing is posted once: another figure later is a difference to look at, never another row.
CREATE TRIGGER charges_cost BEFORE UPDATE OF cost_cents ON charges WHEN OLD.cost_cents IS NOT NULL AND NEW.cost_cents IS NOT OLD.cost_cents
BEGIN SELECT RAISE(ABORT, 'immutable_cost'); END;
--> statement-breakpoint
CREATE TRIGGER refunds_cost BEFORE UPDATE OF cost_cents ON refunds WHEN OLD.cost_cents IS NOT NULL AND NEW.cost_cents IS NOT OLD.cost_cents
BEGIN SELECT RAISE(ABORT, 'immutable_cost'); END;
--> statement-breakpoint
CREATE TRIGGER refund_transfers_cost BEFORE UPDATE OF cost_cents ON refund_transfers WHEN OLD.cost_cents IS NOT NULL AND NEW.cost_cents IS NOT OLD.cost_cents
BEGIN SELECT RAISE(ABORT, 'immutable_cost'); END;
--> statement-breakpoint
CREATE TRIGGER disputes_cost BEFORE UPDATE OF cost_cents ON disputes WHEN OLD.cost_cents IS NOT NULL AND NEW.cost_cents IS NOT OLD.cost_cents
BEGIN SELECT RAISE(ABORT, 'immutable_cost'); END;
--> statement-breakpoint
CREATE TRIGGER payouts_cost BEFORE UPDATE OF cost_cents ON payouts WHEN OLD.cost_cents IS NOT NULL AND NEW.cost_cents IS NOT OLD.cost_cents
BEGIN SELECT RAISE(ABORT, 'immutable_cost'); END;
--> statement-breakpoint
-- What somebody pays to be rid of what they owe is no sale: it is in nobody's totals.
DROP TRIGGER charges_totalled_insert;
--> statement-breakpoint
DROP TRIGGER charges_totalled_update;
--> statement-breakpoint
CREATE TRIGGER charges_totalled_insert AFTER INSERT ON charges WHEN NEW.succeeded_at IS NOT NULL AND NEW.purchase_kind <> 'debt'
BEGIN
  INSERT INTO transaction_totals (person_id, face, day, state, method, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT NEW.payer_id, 'paid', CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), CASE NEW.status WHEN 'succeeded' THEN 'paid' WHEN 'dispute_won' THEN 'paid' WHEN 'disputed' THEN 'disputed' WHEN 'dispute_lost' THEN 'lost' ELSE 'returned' END, NEW.method, NEW.purchase_kind, 1, NEW.amount_cents, NEW.refunded_cents, NEW.disputed_cents,
    (CASE WHEN NEW.disputed_cents > 0 THEN 0 ELSE NEW.fee_cents - NEW.refunded_fee_cents END), (CASE WHEN NEW.disputed_cents > 0 THEN 0 ELSE NEW.net_cents - (NEW.refunded_cents - NEW.refunded_fee_cents) END)
  WHERE NEW.succeeded_at IS NOT NULL
  ON CONFLICT (person_id, face, day, state, method, kind) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO transaction_totals (person_id, face, day, state, method, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT NEW.creator_id, 'received', CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), CASE NEW.status WHEN 'succeeded' THEN 'paid' WHEN 'dispute_won' THEN 'paid' WHEN 'disputed' THEN 'disputed' WHEN 'dispute_lost' THEN 'lost' ELSE 'returned' END, NEW.method, NEW.purchase_kind, 1, NEW.amount_cents, NEW.refunded_cents, NEW.disputed_cents,
    (CASE WHEN NEW.disputed_cents > 0 THEN 0 ELSE NEW.fee_cents - NEW.refunded_fee_cents END), (CASE WHEN NEW.disputed_cents > 0 THEN 0 ELSE NEW.net_cents - (NEW.refunded_cents - NEW.refunded_fee_cents) END)
  WHERE NEW.succeeded_at IS NOT NULL
  ON CONFLICT (person_id, face, day, state, method, kind) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
END;
--> statement-breakpoint
CREATE TRIGGER charges_totalled_update AFTER UPDATE OF status, succeeded_at, refunded_cents, refunded_fee_cents, disputed_cents ON charges WHEN (OLD.succeeded_at IS NOT NULL OR NEW.succeeded_at IS NOT NULL) AND NEW.purchase_kind <> 'debt'
BEGIN
  INSERT INTO transaction_totals (person_id, face, day, state, method, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT OLD.payer_id, 'paid', CAST((OLD.succeeded_at - 10800000) / 86400000 AS INTEGER), CASE OLD.status WHEN 'succeeded' THEN 'paid' WHEN 'dispute_won' THEN 'paid' WHEN 'disputed' THEN 'disputed' WHEN 'dispute_lost' THEN 'lost' ELSE 'returned' END, OLD.method, OLD.purchase_kind, -1, -OLD.amount_cents, -OLD.refunded_cents, -OLD.disputed_cents,
    -(CASE WHEN OLD.disputed_cents > 0 THEN 0 ELSE OLD.fee_cents - OLD.refunded_fee_cents END), -(CASE WHEN OLD.disputed_cents > 0 THEN 0 ELSE OLD.net_cents - (OLD.refunded_cents - OLD.refunded_fee_cents) END)
  WHERE OLD.succeeded_at IS NOT NULL
  ON CONFLICT (person_id, face, day, state, method, kind) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO transaction_totals (person_id, face, day, state, method, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT OLD.creator_id, 'received', CAST((OLD.succeeded_at - 10800000) / 86400000 AS INTEGER), CASE OLD.status WHEN 'succeeded' THEN 'paid' WHEN 'dispute_won' THEN 'paid' WHEN 'disputed' THEN 'disputed' WHEN 'dispute_lost' THEN 'lost' ELSE 'returned' END, OLD.method, OLD.purchase_kind, -1, -OLD.amount_cents, -OLD.refunded_cents, -OLD.disputed_cents,
    -(CASE WHEN OLD.disputed_cents > 0 THEN 0 ELSE OLD.fee_cents - OLD.refunded_fee_cents END), -(CASE WHEN OLD.disputed_cents > 0 THEN 0 ELSE OLD.net_cents - (OLD.refunded_cents - OLD.refunded_fee_cents) END)
  WHERE OLD.succeeded_at IS NOT NULL
  ON CONFLICT (person_id, face, day, state, method, kind) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO transaction_totals (person_id, face, day, state, method, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT NEW.payer_id, 'paid', CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), CASE NEW.status WHEN 'succeeded' THEN 'paid' WHEN 'dispute_won' THEN 'paid' WHEN 'disputed' THEN 'disputed' WHEN 'dispute_lost' THEN 'lost' ELSE 'returned' END, NEW.method, NEW.purchase_kind, 1, NEW.amount_cents, NEW.refunded_cents, NEW.disputed_cents,
    (CASE WHEN NEW.disputed_cents > 0 THEN 0 ELSE NEW.fee_cents - NEW.refunded_fee_cents END), (CASE WHEN NEW.disputed_cents > 0 THEN 0 ELSE NEW.net_cents - (NEW.refunded_cents - NEW.refunded_fee_cents) END)
  WHERE NEW.succeeded_at IS NOT NULL
  ON CONFLICT (person_id, face, day, state, method, kind) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
  INSERT INTO transaction_totals (person_id, face, day, state, method, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
  SELECT NEW.creator_id, 'received', CAST((NEW.succeeded_at - 10800000) / 86400000 AS INTEGER), CASE NEW.status WHEN 'succeeded' THEN 'paid' WHEN 'dispute_won' THEN 'paid' WHEN 'disputed' THEN 'disputed' WHEN 'dispute_lost' THEN 'lost' ELSE 'returned' END, NEW.method, NEW.purchase_kind, 1, NEW.amount_cents, NEW.refunded_cents, NEW.disputed_cents,
    (CASE WHEN NEW.disputed_cents > 0 THEN 0 ELSE NEW.fee_cents - NEW.refunded_fee_cents END), (CASE WHEN NEW.disputed_cents > 0 THEN 0 ELSE NEW.net_cents - (NEW.refunded_cents - NEW.refunded_fee_cents) END)
  WHERE NEW.succeeded_at IS NOT NULL
  ON CONFLICT (person_id, face, day, state, method, kind) DO UPDATE SET count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
    disputed_cents = disputed_cents + excluded.disputed_cents, fee_cents = fee_cents + excluded.fee_cents, net_cents = net_cents + excluded.net_cents;
END;
