CREATE TABLE `billing_details` (
	`person_id` text PRIMARY KEY NOT NULL,
	`tax_kind` text NOT NULL,
	`tax_id` text NOT NULL,
	`name` text NOT NULL,
	`cep` text NOT NULL,
	`street` text NOT NULL,
	`number` text NOT NULL,
	`complement` text NOT NULL,
	`district` text NOT NULL,
	`city` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `saved_methods` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`is_default` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `saved_methods_person` ON `saved_methods` (`person_id`,`created_at`) WHERE removed_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `saved_methods_one_default` ON `saved_methods` (`person_id`) WHERE is_default = 1 AND removed_at IS NULL;--> statement-breakpoint
CREATE TABLE `transaction_totals` (
	`person_id` text NOT NULL,
	`face` text NOT NULL,
	`day` integer NOT NULL,
	`state` text NOT NULL,
	`method` text NOT NULL,
	`kind` text NOT NULL,
	`count` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`refunded_cents` integer NOT NULL,
	`disputed_cents` integer NOT NULL,
	`fee_cents` integer NOT NULL,
	`net_cents` integer NOT NULL,
	PRIMARY KEY(`person_id`, `face`, `day`, `state`, `method`, `kind`)
) STRICT;
--> statement-breakpoint
ALTER TABLE `refunds` ADD `decided_by` text;--> statement-breakpoint
CREATE INDEX `charges_paid_by` ON `charges` (`payer_id`,case when succeeded_at is null then created_at else succeeded_at end,`id`);--> statement-breakpoint
CREATE INDEX `charges_received` ON `charges` (`creator_id`,`succeeded_at`,`id`) WHERE succeeded_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `charges_received_from` ON `charges` (`creator_id`,`payer_id`,`succeeded_at`,`id`) WHERE succeeded_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `charges_received_by` ON `charges` (`creator_id`,`method`,`succeeded_at`,`id`) WHERE succeeded_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `charges_received_for` ON `charges` (`creator_id`,`purchase_kind`,`succeeded_at`,`id`) WHERE succeeded_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `charges_received_as` ON `charges` (`creator_id`,case status when 'succeeded' then 'paid' when 'dispute_won' then 'paid' when 'disputed' then 'disputed' when 'dispute_lost' then 'lost' else 'returned' end,`succeeded_at`,`id`) WHERE succeeded_at IS NOT NULL;
--> statement-breakpoint
-- Totals of the statement by day, kept with every change of a paid charge: what was counted is taken out, what is true now is counted.
-- A day is three hours behind UTC, as billing/rules.ts says. A charge that is being fought over, or was lost, leaves nothing to its seller.
CREATE TRIGGER charges_totalled_insert AFTER INSERT ON charges WHEN NEW.succeeded_at IS NOT NULL
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
CREATE TRIGGER charges_totalled_update AFTER UPDATE OF status, succeeded_at, refunded_cents, refunded_fee_cents, disputed_cents ON charges WHEN OLD.succeeded_at IS NOT NULL OR NEW.succeeded_at IS NOT NULL
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
--> statement-breakpoint
-- What is there already.
INSERT INTO transaction_totals (person_id, face, day, state, method, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
SELECT c.payer_id, 'paid', CAST((c.succeeded_at - 10800000) / 86400000 AS INTEGER), CASE c.status WHEN 'succeeded' THEN 'paid' WHEN 'dispute_won' THEN 'paid' WHEN 'disputed' THEN 'disputed' WHEN 'dispute_lost' THEN 'lost' ELSE 'returned' END, c.method, c.purchase_kind, COUNT(*), SUM(c.amount_cents), SUM(c.refunded_cents), SUM(c.disputed_cents),
  SUM(CASE WHEN c.disputed_cents > 0 THEN 0 ELSE c.fee_cents - c.refunded_fee_cents END), SUM(CASE WHEN c.disputed_cents > 0 THEN 0 ELSE c.net_cents - (c.refunded_cents - c.refunded_fee_cents) END)
FROM charges c WHERE c.succeeded_at IS NOT NULL GROUP BY 1, 3, 4, 5, 6;
--> statement-breakpoint
INSERT INTO transaction_totals (person_id, face, day, state, method, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
SELECT c.creator_id, 'received', CAST((c.succeeded_at - 10800000) / 86400000 AS INTEGER), CASE c.status WHEN 'succeeded' THEN 'paid' WHEN 'dispute_won' THEN 'paid' WHEN 'disputed' THEN 'disputed' WHEN 'dispute_lost' THEN 'lost' ELSE 'returned' END, c.method, c.purchase_kind, COUNT(*), SUM(c.amount_cents), SUM(c.refunded_cents), SUM(c.disputed_cents),
  SUM(CASE WHEN c.disputed_cents > 0 THEN 0 ELSE c.fee_cents - c.refunded_fee_cents END), SUM(CASE WHEN c.disputed_cents > 0 THEN 0 ELSE c.net_cents - (c.refunded_cents - c.refunded_fee_cents) END)
FROM charges c WHERE c.succeeded_at IS NOT NULL GROUP BY 1, 3, 4, 5, 6;
--> statement-breakpoint
-- A card is kept when a subscription first pays by it.
CREATE TRIGGER subscriptions_method_insert AFTER INSERT ON subscriptions WHEN NEW.saved_method_id IS NOT NULL
BEGIN INSERT INTO saved_methods (id, person_id, created_at) VALUES (NEW.saved_method_id, NEW.fan_id, NEW.updated_at) ON CONFLICT (id) DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_method_update AFTER UPDATE OF saved_method_id ON subscriptions WHEN NEW.saved_method_id IS NOT NULL AND NEW.saved_method_id IS NOT OLD.saved_method_id
BEGIN INSERT INTO saved_methods (id, person_id, created_at) VALUES (NEW.saved_method_id, NEW.fan_id, NEW.updated_at) ON CONFLICT (id) DO NOTHING; END;
--> statement-breakpoint
INSERT INTO saved_methods (id, person_id, created_at) SELECT saved_method_id, MIN(fan_id), MIN(updated_at) FROM subscriptions WHERE saved_method_id IS NOT NULL GROUP BY saved_method_id;
--> statement-breakpoint
-- Two refunds that a person decides on one charge never wait at once: the fee's share of the second is of what the first leaves.
CREATE TRIGGER refunds_decided_insert BEFORE INSERT ON refunds WHEN NEW.decided_by IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'immutable_refund_waits') WHERE EXISTS (SELECT 1 FROM refunds r WHERE r.charge_id = NEW.charge_id AND r.status = 'requested');
  SELECT RAISE(ABORT, 'immutable_over_refund') WHERE NEW.amount_cents <= 0 OR NOT EXISTS (
    SELECT 1 FROM charges c WHERE c.id = NEW.charge_id AND c.status IN ('succeeded', 'partially_refunded', 'dispute_won') AND NEW.amount_cents <= c.amount_cents - c.refunded_cents);
END;
