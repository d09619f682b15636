CREATE TABLE `analytics_days` (
	`creator_id` text NOT NULL,
	`day` integer NOT NULL,
	`subject` text NOT NULL,
	`time_zone` text NOT NULL,
	`views` integer NOT NULL,
	`visitors` integer NOT NULL,
	`plays` integer NOT NULL,
	PRIMARY KEY(`creator_id`, `day`, `subject`, `time_zone`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `analytics_people` (
	`creator_id` text NOT NULL,
	`day` integer NOT NULL,
	`follows` integer NOT NULL,
	`trials` integer NOT NULL,
	PRIMARY KEY(`creator_id`, `day`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `analytics_progress` (
	`time_zone` text PRIMARY KEY NOT NULL,
	`closed_day` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `analytics_sales` (
	`creator_id` text NOT NULL,
	`day` integer NOT NULL,
	`post_id` text NOT NULL,
	`sales` integer NOT NULL,
	`sales_cents` integer NOT NULL,
	PRIMARY KEY(`creator_id`, `day`, `post_id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `analytics_snapshots` (
	`creator_id` text NOT NULL,
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`computed_at` integer NOT NULL,
	PRIMARY KEY(`creator_id`, `kind`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `analytics_snapshots_age` ON `analytics_snapshots` (`kind`,`computed_at`);--> statement-breakpoint
CREATE TABLE `analytics_sources` (
	`creator_id` text NOT NULL,
	`day` integer NOT NULL,
	`dimension` text NOT NULL,
	`value` text NOT NULL,
	`time_zone` text NOT NULL,
	`views` integer NOT NULL,
	`visitors` integer NOT NULL,
	PRIMARY KEY(`creator_id`, `day`, `dimension`, `value`, `time_zone`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `coreto_views` (
	`timestamp` integer NOT NULL,
	`index1` text NOT NULL,
	`blob1` text NOT NULL,
	`blob2` text NOT NULL,
	`blob3` text NOT NULL,
	`blob4` text NOT NULL,
	`blob5` text NOT NULL,
	`blob6` text NOT NULL,
	`blob7` text NOT NULL,
	`blob8` text NOT NULL,
	`double1` real NOT NULL,
	`_sample_interval` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `coreto_views_time` ON `coreto_views` (`blob1`,`timestamp`);--> statement-breakpoint
CREATE TABLE `view_salts` (
	`time_zone` text NOT NULL,
	`day` integer NOT NULL,
	`salt` text NOT NULL,
	PRIMARY KEY(`time_zone`, `day`)
) STRICT;
--> statement-breakpoint
-- Follows, trials and sales are counted where they happen, by São Paulo day. Who unfollows was there.
CREATE TRIGGER analytics_follow_counted AFTER INSERT ON follows
BEGIN
  INSERT INTO analytics_people (creator_id, day, follows, trials) VALUES (NEW.creator_id, CAST((NEW.created_at - 10800000) / 86400000 AS INTEGER), 1, 0)
  ON CONFLICT (creator_id, day) DO UPDATE SET follows = follows + 1;
END;
--> statement-breakpoint
CREATE TRIGGER analytics_trial_counted AFTER INSERT ON subscriptions WHEN NEW.started_at IS NOT NULL AND NEW.trial_ends_at IS NOT NULL
BEGIN
  INSERT INTO analytics_people (creator_id, day, follows, trials) VALUES (NEW.creator_id, CAST((NEW.started_at - 10800000) / 86400000 AS INTEGER), 0, 1)
  ON CONFLICT (creator_id, day) DO UPDATE SET trials = trials + 1;
END;
--> statement-breakpoint
CREATE TRIGGER analytics_trial_begun AFTER UPDATE OF started_at ON subscriptions WHEN OLD.started_at IS NULL AND NEW.started_at IS NOT NULL AND NEW.trial_ends_at IS NOT NULL
BEGIN
  INSERT INTO analytics_people (creator_id, day, follows, trials) VALUES (NEW.creator_id, CAST((NEW.started_at - 10800000) / 86400000 AS INTEGER), 0, 1)
  ON CONFLICT (creator_id, day) DO UPDATE SET trials = trials + 1;
END;
--> statement-breakpoint
CREATE TRIGGER analytics_sale_counted AFTER UPDATE OF bought_at ON purchases WHEN OLD.bought_at IS NULL AND NEW.bought_at IS NOT NULL AND NEW.kind = 'post'
BEGIN
  INSERT INTO analytics_sales (creator_id, day, post_id, sales, sales_cents) VALUES (NEW.creator_id, CAST((NEW.bought_at - 10800000) / 86400000 AS INTEGER), NEW.target_id, 1, NEW.amount_cents)
  ON CONFLICT (creator_id, day, post_id) DO UPDATE SET sales = sales + 1, sales_cents = sales_cents + excluded.sales_cents;
END;
--> statement-breakpoint
-- The numbers of an erased account go with it.
CREATE TRIGGER analytics_erased AFTER UPDATE OF deleted_at ON people WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL
BEGIN
  DELETE FROM analytics_days WHERE creator_id = NEW.id;
  DELETE FROM analytics_sources WHERE creator_id = NEW.id;
  DELETE FROM analytics_people WHERE creator_id = NEW.id;
  DELETE FROM analytics_snapshots WHERE creator_id = NEW.id;
END;
--> statement-breakpoint
-- What was before.
INSERT INTO analytics_people (creator_id, day, follows, trials)
SELECT creator_id, day, SUM(follows), SUM(trials) FROM (
  SELECT creator_id, CAST((created_at - 10800000) / 86400000 AS INTEGER) AS day, 1 AS follows, 0 AS trials FROM follows
  UNION ALL
  SELECT creator_id, CAST((started_at - 10800000) / 86400000 AS INTEGER), 0, 1 FROM subscriptions WHERE started_at IS NOT NULL AND trial_ends_at IS NOT NULL
) GROUP BY 1, 2;
--> statement-breakpoint
INSERT INTO analytics_sales (creator_id, day, post_id, sales, sales_cents)
SELECT creator_id, CAST((bought_at - 10800000) / 86400000 AS INTEGER), target_id, COUNT(*), SUM(amount_cents) FROM purchases WHERE bought_at IS NOT NULL AND kind = 'post' GROUP BY 1, 2, 3;
