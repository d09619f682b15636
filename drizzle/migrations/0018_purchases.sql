CREATE TABLE `purchase_posts` (
	`purchase_id` text NOT NULL,
	`post_id` text NOT NULL,
	`person_id` text NOT NULL,
	PRIMARY KEY(`purchase_id`, `post_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `purchase_posts_person` ON `purchase_posts` (`person_id`,`post_id`);--> statement-breakpoint
CREATE TABLE `purchases` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`creator_id` text NOT NULL,
	`kind` text NOT NULL,
	`target_id` text NOT NULL,
	`title` text NOT NULL,
	`charge_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`created_at` integer NOT NULL,
	`bought_at` integer,
	`ended_at` integer,
	`ended_reason` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `purchases_one_living` ON `purchases` (`person_id`,`kind`,`target_id`) WHERE bought_at IS NOT NULL AND ended_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `purchases_one_open` ON `purchases` (`person_id`,`kind`,`target_id`) WHERE bought_at IS NULL AND ended_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `purchases_charge` ON `purchases` (`charge_id`);--> statement-breakpoint
CREATE INDEX `purchases_buyer` ON `purchases` (`person_id`,`bought_at`,`id`);--> statement-breakpoint
CREATE INDEX `purchases_sold` ON `purchases` (`target_id`) WHERE bought_at IS NOT NULL AND ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `purchases_seller` ON `purchases` (`creator_id`) WHERE bought_at IS NOT NULL AND ended_at IS NULL;
--> statement-breakpoint
-- `post_purchases`, which nothing ever wrote, is folded into `purchases`: it stays behind empty, because no table is dropped.
-- A purchase is bought by its own charge, once that succeeded; it ends once; what was agreed never changes.
CREATE TRIGGER purchases_insert BEFORE INSERT ON purchases
BEGIN
  SELECT RAISE(ABORT, 'immutable_purchase_unpaid') WHERE NEW.bought_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM charges c WHERE c.id = NEW.charge_id AND c.purchase_id = NEW.id AND c.payer_id = NEW.person_id AND c.amount_cents = NEW.amount_cents AND c.succeeded_at IS NOT NULL);
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.kind NOT IN ('post', 'collection') OR (NEW.ended_at IS NULL) <> (NEW.ended_reason IS NULL);
END;
--> statement-breakpoint
CREATE TRIGGER purchases_update BEFORE UPDATE ON purchases
BEGIN
  SELECT RAISE(ABORT, 'immutable_purchase') WHERE NEW.id <> OLD.id OR NEW.person_id <> OLD.person_id OR NEW.creator_id <> OLD.creator_id OR NEW.kind <> OLD.kind
    OR NEW.target_id <> OLD.target_id OR NEW.charge_id <> OLD.charge_id OR NEW.amount_cents <> OLD.amount_cents OR NEW.created_at <> OLD.created_at;
  SELECT RAISE(ABORT, 'immutable_purchase_ended') WHERE OLD.bought_at IS NOT NULL AND (NEW.bought_at IS NOT OLD.bought_at OR (OLD.ended_at IS NOT NULL AND NEW.ended_at IS NOT OLD.ended_at));
  SELECT RAISE(ABORT, 'immutable_purchase_unpaid') WHERE NEW.bought_at IS NOT NULL AND OLD.bought_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM charges c WHERE c.id = NEW.charge_id AND c.purchase_id = NEW.id AND c.payer_id = NEW.person_id AND c.amount_cents = NEW.amount_cents AND c.succeeded_at IS NOT NULL);
  SELECT RAISE(ABORT, 'unknown_state') WHERE (NEW.ended_at IS NULL) <> (NEW.ended_reason IS NULL)
    OR NEW.ended_reason NOT IN ('unpaid', 'given_back', 'regret', 'refunded', 'dispute_lost', 'removed', 'creator_left', 'buyer_left');
END;
--> statement-breakpoint
CREATE TRIGGER purchases_no_delete BEFORE DELETE ON purchases
BEGIN SELECT RAISE(ABORT, 'immutable_purchase'); END;
