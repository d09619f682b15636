CREATE TABLE `gifts` (
	`id` text PRIMARY KEY NOT NULL,
	`giver_id` text NOT NULL,
	`creator_id` text NOT NULL,
	`plan_id` text NOT NULL,
	`plan_price_id` text NOT NULL,
	`interval` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`charge_id` text NOT NULL,
	`code_hash` text NOT NULL,
	`recipient_name` text NOT NULL,
	`recipient_email` text NOT NULL,
	`message` text NOT NULL,
	`deliver_at` integer,
	`delivered_at` integer,
	`holds_seat` integer NOT NULL,
	`created_at` integer NOT NULL,
	`paid_at` integer,
	`claim_until` integer,
	`release_at` integer,
	`claimed_at` integer,
	`claimed_by` text,
	`ended_at` integer,
	`ended_reason` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `gifts_one_open` ON `gifts` (`giver_id`,`creator_id`,`recipient_email`) WHERE paid_at IS NULL AND ended_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `gifts_charge` ON `gifts` (`charge_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `gifts_code` ON `gifts` (`code_hash`);--> statement-breakpoint
CREATE INDEX `gifts_giver` ON `gifts` (`giver_id`,`paid_at`,`id`);--> statement-breakpoint
CREATE INDEX `gifts_claimer` ON `gifts` (`claimed_by`) WHERE claimed_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX `gifts_of` ON `gifts` (`creator_id`) WHERE paid_at IS NOT NULL AND ended_at IS NULL AND claimed_at IS NULL;--> statement-breakpoint
CREATE INDEX `gifts_unclaimed` ON `gifts` (`claim_until`) WHERE paid_at IS NOT NULL AND ended_at IS NULL AND claimed_at IS NULL;--> statement-breakpoint
CREATE INDEX `gifts_to_deliver` ON `gifts` (`deliver_at`) WHERE paid_at IS NOT NULL AND ended_at IS NULL AND claimed_at IS NULL AND deliver_at IS NOT NULL AND delivered_at IS NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `gifted_by` text;--> statement-breakpoint
CREATE INDEX `subscribers_gifted` ON `subscriptions` (`creator_id`,`created_at`,`id`) WHERE gifted_by IS NOT NULL AND started_at IS NOT NULL;
--> statement-breakpoint
-- A gift is paid by its own charge, once that succeeded; it is claimed once, in time, as the subscription of its own id; it ends once. What was agreed never changes, and
-- what was written only to nothing. A seat is its own until it is claimed or over.
CREATE TRIGGER gifts_insert BEFORE INSERT ON gifts
WHEN NEW.paid_at IS NOT NULL OR NEW.claimed_at IS NOT NULL OR NEW.claimed_by IS NOT NULL OR NEW.ended_at IS NOT NULL OR NEW.ended_reason IS NOT NULL OR NEW.amount_cents <= 0
BEGIN SELECT RAISE(ABORT, 'immutable_gift'); END;
--> statement-breakpoint
CREATE TRIGGER gifts_update BEFORE UPDATE ON gifts
BEGIN
  SELECT RAISE(ABORT, 'immutable_gift') WHERE NEW.id <> OLD.id OR NEW.giver_id <> OLD.giver_id OR NEW.creator_id <> OLD.creator_id OR NEW.plan_id <> OLD.plan_id OR NEW.plan_price_id <> OLD.plan_price_id
    OR NEW.interval <> OLD.interval OR NEW.amount_cents <> OLD.amount_cents OR NEW.charge_id <> OLD.charge_id OR NEW.code_hash <> OLD.code_hash OR NEW.created_at <> OLD.created_at
    OR (OLD.paid_at IS NOT NULL AND (NEW.paid_at IS NOT OLD.paid_at OR NEW.claim_until IS NOT OLD.claim_until OR NEW.release_at IS NOT OLD.release_at OR (NEW.message <> OLD.message AND NEW.message <> '')));
  SELECT RAISE(ABORT, 'immutable_gift_unpaid') WHERE NEW.paid_at IS NOT NULL AND OLD.paid_at IS NULL AND (NEW.claim_until IS NULL OR NEW.release_at IS NULL OR NOT EXISTS (
    SELECT 1 FROM charges c WHERE c.id = NEW.charge_id AND c.purchase_kind = 'gift' AND c.purchase_id = NEW.id AND c.payer_id = NEW.giver_id AND c.creator_id = NEW.creator_id AND c.amount_cents = NEW.amount_cents AND c.succeeded_at IS NOT NULL));
  SELECT RAISE(ABORT, 'immutable_gift_claimed') WHERE (NEW.claimed_at IS NULL) <> (NEW.claimed_by IS NULL) OR (OLD.claimed_at IS NOT NULL AND (NEW.claimed_at IS NOT OLD.claimed_at OR NEW.claimed_by <> OLD.claimed_by))
    OR (OLD.claimed_at IS NULL AND NEW.claimed_at IS NOT NULL AND (OLD.paid_at IS NULL OR OLD.ended_at IS NOT NULL OR NEW.claimed_at >= OLD.claim_until OR NOT EXISTS (
      SELECT 1 FROM subscriptions s WHERE s.id = NEW.id AND s.fan_id = NEW.claimed_by AND s.creator_id = NEW.creator_id AND s.plan_id = NEW.plan_id AND s.gifted_by = NEW.giver_id)));
  SELECT RAISE(ABORT, 'immutable_gift_ended') WHERE OLD.paid_at IS NOT NULL AND OLD.ended_at IS NOT NULL AND NEW.ended_at IS NOT OLD.ended_at;
  SELECT RAISE(ABORT, 'immutable_gift_seat') WHERE NEW.holds_seat = 1 AND (NEW.claimed_at IS NOT NULL OR NEW.ended_at IS NOT NULL);
  SELECT RAISE(ABORT, 'unknown_state') WHERE (NEW.ended_at IS NULL) <> (NEW.ended_reason IS NULL)
    OR NEW.ended_reason NOT IN ('unpaid', 'given_back', 'regret', 'refunded', 'dispute_lost', 'creator_left', 'unclaimed');
END;
--> statement-breakpoint
CREATE TRIGGER gifts_no_delete BEFORE DELETE ON gifts
BEGIN SELECT RAISE(ABORT, 'immutable_gift'); END;
--> statement-breakpoint
-- What was given is a paid gift that nobody claimed; it runs out and never renews, and no charge but the gift's own can name it.
CREATE TRIGGER subscriptions_gift_insert BEFORE INSERT ON subscriptions WHEN NEW.gifted_by IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'immutable_gift') WHERE NEW.status <> 'canceled' OR NEW.saved_method_id IS NOT NULL OR NOT EXISTS (
    SELECT 1 FROM gifts g WHERE g.id = NEW.id AND g.giver_id = NEW.gifted_by AND g.creator_id = NEW.creator_id AND g.plan_id = NEW.plan_id AND g.paid_at IS NOT NULL AND g.claimed_at IS NULL AND g.ended_at IS NULL);
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_gift_update BEFORE UPDATE ON subscriptions
WHEN NEW.gifted_by IS NOT OLD.gifted_by OR (OLD.gifted_by IS NOT NULL AND (NEW.status NOT IN ('canceled', 'expired') OR (OLD.status = 'expired' AND NEW.status <> 'expired') OR NEW.saved_method_id IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'immutable_gift'); END;
--> statement-breakpoint
CREATE TRIGGER charges_never_gifted BEFORE INSERT ON charges WHEN NEW.purchase_kind = 'subscription'
BEGIN SELECT RAISE(ABORT, 'immutable_gift') WHERE EXISTS (SELECT 1 FROM subscriptions s WHERE s.id = NEW.purchase_id AND s.gifted_by IS NOT NULL); END;
