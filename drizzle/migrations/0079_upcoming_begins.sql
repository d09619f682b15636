-- What begins when something given ends is paid before, and is live beside it: one of each for the same two.
DROP INDEX `subscriptions_one_live`;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `begins_after` text;--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_one_upcoming` ON `subscriptions` (`fan_id`,`creator_id`) WHERE status = 'upcoming';--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_one_live` ON `subscriptions` (`fan_id`,`creator_id`) WHERE status NOT IN ('incomplete', 'upcoming', 'expired');
--> statement-breakpoint
-- Whoever has both is one subscriber.
DROP TRIGGER subscriptions_count_insert;
--> statement-breakpoint
CREATE TRIGGER subscriptions_count_insert AFTER INSERT ON subscriptions WHEN NEW.status NOT IN ('incomplete', 'upcoming', 'expired')
BEGIN UPDATE profiles SET subscribers_count = subscribers_count + 1 WHERE person_id = NEW.creator_id; END;
--> statement-breakpoint
DROP TRIGGER subscriptions_count_up;
--> statement-breakpoint
CREATE TRIGGER subscriptions_count_up AFTER UPDATE OF status ON subscriptions
WHEN NEW.status NOT IN ('incomplete', 'upcoming', 'expired') AND OLD.status IN ('incomplete', 'upcoming', 'expired')
BEGIN UPDATE profiles SET subscribers_count = subscribers_count + 1 WHERE person_id = NEW.creator_id; END;
--> statement-breakpoint
DROP TRIGGER subscriptions_count_down;
--> statement-breakpoint
CREATE TRIGGER subscriptions_count_down AFTER UPDATE OF status ON subscriptions
WHEN NEW.status IN ('incomplete', 'upcoming', 'expired') AND OLD.status NOT IN ('incomplete', 'upcoming', 'expired')
BEGIN UPDATE profiles SET subscribers_count = subscribers_count - 1 WHERE person_id = NEW.creator_id; END;
