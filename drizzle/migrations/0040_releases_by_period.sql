CREATE TABLE `charge_releases` (
	`id` text PRIMARY KEY NOT NULL,
	`charge_id` text NOT NULL,
	`creator_id` text NOT NULL,
	`position` integer NOT NULL,
	`net_cents` integer NOT NULL,
	`taken_cents` integer DEFAULT 0 NOT NULL,
	`begins_at` integer,
	`release_at` integer NOT NULL,
	`released_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `charge_releases_charge` ON `charge_releases` (`charge_id`,`position`);--> statement-breakpoint
CREATE INDEX `charge_releases_due` ON `charge_releases` (`release_at`) WHERE released_at IS NULL AND taken_cents < net_cents;--> statement-breakpoint
CREATE INDEX `charge_releases_creator` ON `charge_releases` (`creator_id`,`release_at`) WHERE released_at IS NULL AND taken_cents < net_cents;--> statement-breakpoint
DROP INDEX `charges_release`;--> statement-breakpoint
ALTER TABLE `charges` ADD `periods_cents` text;--> statement-breakpoint
ALTER TABLE `charges` ADD `pending_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Until now a charge was released whole: what the books say of its pending account is its one part. A dispute that took that away left it unreleased, and a lost one left nothing of it.
INSERT INTO charge_releases (id, charge_id, creator_id, position, net_cents, taken_cents, begins_at, release_at, released_at)
SELECT id, id, creator_id, 0, net_cents, CASE WHEN disputed_from_pending > 0 AND status = 'dispute_lost' THEN net_cents ELSE refunded_from_pending END, NULL, COALESCE(release_at, succeeded_at),
  CASE WHEN disputed_from_pending > 0 AND status IN ('disputed', 'dispute_lost') THEN NULL ELSE released_at END
FROM (SELECT c.*,
  (SELECT COALESCE(SUM(e.amount_cents), 0) FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id WHERE t.charge_id = c.id AND t.kind = 'charge.refunded' AND e.account_id = 'creator_pending:' || c.creator_id) AS refunded_from_pending,
  (SELECT COALESCE(SUM(e.amount_cents), 0) FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id WHERE t.charge_id = c.id AND t.kind = 'dispute.opened' AND e.account_id = 'creator_pending:' || c.creator_id) AS disputed_from_pending
  FROM charges c WHERE c.succeeded_at IS NOT NULL);--> statement-breakpoint
UPDATE charges SET pending_cents = (SELECT COALESCE(SUM(r.net_cents - r.taken_cents), 0) FROM charge_releases r WHERE r.charge_id = charges.id AND r.released_at IS NULL)
WHERE succeeded_at IS NOT NULL AND disputed_cents = 0;--> statement-breakpoint
ALTER TABLE `charges` DROP COLUMN `release_at`;--> statement-breakpoint
ALTER TABLE `charges` DROP COLUMN `released_at`;--> statement-breakpoint
CREATE TRIGGER charge_releases_insert BEFORE INSERT ON charge_releases
WHEN NEW.net_cents < 0 OR NEW.taken_cents <> 0 OR NEW.released_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'immutable_release'); END;
--> statement-breakpoint
CREATE TRIGGER charge_releases_update BEFORE UPDATE ON charge_releases
WHEN OLD.released_at IS NOT NULL OR NEW.charge_id <> OLD.charge_id OR NEW.position <> OLD.position OR NEW.net_cents <> OLD.net_cents OR NEW.taken_cents < OLD.taken_cents OR NEW.taken_cents > NEW.net_cents
BEGIN SELECT RAISE(ABORT, 'immutable_release'); END;
--> statement-breakpoint
CREATE TRIGGER charge_releases_delete BEFORE DELETE ON charge_releases
BEGIN SELECT RAISE(ABORT, 'immutable_release'); END;
--> statement-breakpoint
-- A charge counts as many payments as the periods that it pays: a stretch that a pause or a vacation cut in two was counted with the first.
DROP TRIGGER coupon_uses_cycle;
--> statement-breakpoint
CREATE TRIGGER coupon_uses_cycle AFTER INSERT ON charge_periods
WHEN (SELECT COUNT(*) FROM charge_periods covered WHERE covered.charge_id = NEW.charge_id) <= COALESCE((SELECT json_array_length(paid.periods_cents) FROM charges paid WHERE paid.id = NEW.charge_id), 1)
BEGIN
  UPDATE coupon_uses SET cycles_left = cycles_left - 1, full_price_at = CASE WHEN cycles_left = 1 THEN MAX(NEW.ends_at, COALESCE((SELECT s.current_period_ends_at FROM subscriptions s WHERE s.id = NEW.subscription_id), 0)) END
    WHERE subscription_id = NEW.subscription_id AND freed_at IS NULL AND cycles_left > 0;
END;
