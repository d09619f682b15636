CREATE TABLE `vacations` (
	`id` text PRIMARY KEY NOT NULL,
	`creator_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`returned_at` integer,
	`swept_to` text DEFAULT '' NOT NULL,
	`swept_at` integer,
	`over_at` integer,
	`acted_by` text,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `vacations_one_open` ON `vacations` (`creator_id`) WHERE over_at IS NULL;--> statement-breakpoint
CREATE INDEX `vacations_of` ON `vacations` (`creator_id`,`starts_at`);--> statement-breakpoint
CREATE INDEX `vacations_open` ON `vacations` (`id`) WHERE over_at IS NULL;--> statement-breakpoint
CREATE TABLE `vacation_shifts` (
	`subscription_id` text NOT NULL,
	`vacation_id` text NOT NULL,
	`shifted_until` integer NOT NULL,
	`moved_ms` integer NOT NULL,
	`before_ends_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`moved_back_at` integer,
	PRIMARY KEY(`subscription_id`, `vacation_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `vacation_shifts_vacation` ON `vacation_shifts` (`vacation_id`);
--> statement-breakpoint
-- A vacation is announced once, for whole days within its limits; it is cut short once, before its end, and over once, when nobody is left to move.
CREATE TRIGGER vacations_insert BEFORE INSERT ON vacations
WHEN NEW.ends_at - NEW.starts_at NOT BETWEEN 6 * 86400000 AND 61 * 86400000 OR NEW.returned_at IS NOT NULL OR NEW.swept_at IS NOT NULL OR NEW.over_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'immutable_vacation'); END;
--> statement-breakpoint
CREATE TRIGGER vacations_update BEFORE UPDATE ON vacations
WHEN NEW.id <> OLD.id OR NEW.creator_id <> OLD.creator_id OR NEW.starts_at <> OLD.starts_at OR NEW.ends_at <> OLD.ends_at OR NEW.created_at <> OLD.created_at
  OR (OLD.returned_at IS NOT NULL AND NEW.returned_at IS NOT OLD.returned_at) OR (OLD.over_at IS NOT NULL AND NEW.over_at IS NOT OLD.over_at)
  OR (NEW.returned_at IS NOT NULL AND NEW.returned_at NOT BETWEEN NEW.starts_at AND NEW.ends_at) OR (NEW.over_at IS NOT NULL AND NEW.swept_at IS NULL)
BEGIN SELECT RAISE(ABORT, 'immutable_vacation'); END;
--> statement-breakpoint
-- A subscription is moved once, and back once: never twice the same way.
CREATE TRIGGER vacation_shifts_update BEFORE UPDATE ON vacation_shifts
WHEN NEW.subscription_id <> OLD.subscription_id OR NEW.vacation_id <> OLD.vacation_id OR NEW.before_ends_at <> OLD.before_ends_at OR OLD.moved_back_at IS NOT NULL OR NEW.moved_back_at IS NULL OR NEW.shifted_until > OLD.shifted_until OR NEW.moved_ms > OLD.moved_ms
BEGIN SELECT RAISE(ABORT, 'immutable_vacation_shift'); END;
--> statement-breakpoint
-- Whoever writes it, nothing is charged, begins, goes on or is paused while who creates is away. What is given free of charge may begin.
CREATE TRIGGER charges_never_away BEFORE INSERT ON charges
WHEN NEW.purchase_kind IN ('subscription', 'plan_change', 'gift')
BEGIN SELECT RAISE(ABORT, 'immutable_vacation') WHERE EXISTS (SELECT 1 FROM vacations v WHERE v.creator_id = NEW.creator_id AND v.over_at IS NULL AND v.returned_at IS NULL AND v.starts_at <= NEW.created_at AND v.ends_at > NEW.created_at); END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_away_insert BEFORE INSERT ON subscriptions
WHEN NEW.status NOT IN ('incomplete', 'expired') AND NEW.comp_ends_at IS NULL
BEGIN SELECT RAISE(ABORT, 'immutable_vacation') WHERE EXISTS (SELECT 1 FROM vacations v WHERE v.creator_id = NEW.creator_id AND v.over_at IS NULL AND v.returned_at IS NULL AND v.starts_at <= NEW.created_at AND v.ends_at > NEW.created_at); END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_away_update BEFORE UPDATE OF status ON subscriptions
WHEN NEW.comp_ends_at IS NULL AND NEW.status <> OLD.status AND ((OLD.status IN ('incomplete', 'expired') AND NEW.status NOT IN ('incomplete', 'expired')) OR (OLD.status = 'canceled' AND NEW.status IN ('active', 'trialing')) OR NEW.status = 'paused')
BEGIN SELECT RAISE(ABORT, 'immutable_vacation') WHERE EXISTS (SELECT 1 FROM vacations v WHERE v.creator_id = NEW.creator_id AND v.over_at IS NULL AND v.returned_at IS NULL AND v.starts_at <= NEW.updated_at AND v.ends_at > NEW.updated_at); END;
