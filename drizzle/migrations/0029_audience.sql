CREATE TABLE `audience_totals` (
	`creator_id` text NOT NULL,
	`status` text NOT NULL,
	`plan_id` text NOT NULL,
	`method` text NOT NULL,
	`count` integer NOT NULL,
	`monthly_cents` integer NOT NULL,
	PRIMARY KEY(`creator_id`, `status`, `plan_id`, `method`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `subscribers_all` ON `subscriptions` (`creator_id`,`created_at`,`id`) WHERE started_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscribers_in` ON `subscriptions` (`creator_id`,`status`,`created_at`,`id`) WHERE started_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscribers_of` ON `subscriptions` (`creator_id`,`plan_id`,`created_at`,`id`) WHERE started_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscribers_by` ON `subscriptions` (`creator_id`,`method`,`created_at`,`id`) WHERE started_at IS NOT NULL;
--> statement-breakpoint
-- Who subscribes is counted where subscriptions change: what was counted is taken out, what is true now is counted. What one is worth a month is
-- `monthlyCentsOf` of subscriptions/rules/audience.ts, letter by letter; the invariant `audience_kept` compares both sums.
CREATE TRIGGER subscribers_counted_insert AFTER INSERT ON subscriptions WHEN NEW.started_at IS NOT NULL
BEGIN
  INSERT INTO audience_totals (creator_id, status, plan_id, method, count, monthly_cents)
  SELECT NEW.creator_id, NEW.status, NEW.plan_id, NEW.method, 1, (CASE WHEN NEW.status <> 'active' THEN 0 WHEN NEW.interval = 'weekly' THEN (NEW.amount_cents * 104 + 12) / 24 WHEN NEW.interval = 'quarterly' THEN (NEW.amount_cents * 2 + 3) / 6 WHEN NEW.interval = 'semiannual' THEN (NEW.amount_cents * 2 + 6) / 12 WHEN NEW.interval = 'annual' THEN (NEW.amount_cents * 2 + 12) / 24 ELSE NEW.amount_cents END) WHERE NEW.started_at IS NOT NULL
  ON CONFLICT (creator_id, status, plan_id, method) DO UPDATE SET count = count + excluded.count, monthly_cents = monthly_cents + excluded.monthly_cents;
END;
--> statement-breakpoint
CREATE TRIGGER subscribers_counted_update AFTER UPDATE OF creator_id, status, plan_id, method, amount_cents, interval, started_at ON subscriptions WHEN OLD.started_at IS NOT NULL OR NEW.started_at IS NOT NULL
BEGIN
  INSERT INTO audience_totals (creator_id, status, plan_id, method, count, monthly_cents)
  SELECT OLD.creator_id, OLD.status, OLD.plan_id, OLD.method, -1, -(CASE WHEN OLD.status <> 'active' THEN 0 WHEN OLD.interval = 'weekly' THEN (OLD.amount_cents * 104 + 12) / 24 WHEN OLD.interval = 'quarterly' THEN (OLD.amount_cents * 2 + 3) / 6 WHEN OLD.interval = 'semiannual' THEN (OLD.amount_cents * 2 + 6) / 12 WHEN OLD.interval = 'annual' THEN (OLD.amount_cents * 2 + 12) / 24 ELSE OLD.amount_cents END) WHERE OLD.started_at IS NOT NULL
  ON CONFLICT (creator_id, status, plan_id, method) DO UPDATE SET count = count + excluded.count, monthly_cents = monthly_cents + excluded.monthly_cents;
  INSERT INTO audience_totals (creator_id, status, plan_id, method, count, monthly_cents)
  SELECT NEW.creator_id, NEW.status, NEW.plan_id, NEW.method, 1, (CASE WHEN NEW.status <> 'active' THEN 0 WHEN NEW.interval = 'weekly' THEN (NEW.amount_cents * 104 + 12) / 24 WHEN NEW.interval = 'quarterly' THEN (NEW.amount_cents * 2 + 3) / 6 WHEN NEW.interval = 'semiannual' THEN (NEW.amount_cents * 2 + 6) / 12 WHEN NEW.interval = 'annual' THEN (NEW.amount_cents * 2 + 12) / 24 ELSE NEW.amount_cents END) WHERE NEW.started_at IS NOT NULL
  ON CONFLICT (creator_id, status, plan_id, method) DO UPDATE SET count = count + excluded.count, monthly_cents = monthly_cents + excluded.monthly_cents;
END;
--> statement-breakpoint
CREATE TRIGGER subscribers_counted_delete AFTER DELETE ON subscriptions WHEN OLD.started_at IS NOT NULL
BEGIN
  INSERT INTO audience_totals (creator_id, status, plan_id, method, count, monthly_cents)
  SELECT OLD.creator_id, OLD.status, OLD.plan_id, OLD.method, -1, -(CASE WHEN OLD.status <> 'active' THEN 0 WHEN OLD.interval = 'weekly' THEN (OLD.amount_cents * 104 + 12) / 24 WHEN OLD.interval = 'quarterly' THEN (OLD.amount_cents * 2 + 3) / 6 WHEN OLD.interval = 'semiannual' THEN (OLD.amount_cents * 2 + 6) / 12 WHEN OLD.interval = 'annual' THEN (OLD.amount_cents * 2 + 12) / 24 ELSE OLD.amount_cents END) WHERE OLD.started_at IS NOT NULL
  ON CONFLICT (creator_id, status, plan_id, method) DO UPDATE SET count = count + excluded.count, monthly_cents = monthly_cents + excluded.monthly_cents;
END;
--> statement-breakpoint
-- Who is there already.
INSERT INTO audience_totals (creator_id, status, plan_id, method, count, monthly_cents)
SELECT s.creator_id, s.status, s.plan_id, s.method, COUNT(*), SUM((CASE WHEN s.status <> 'active' THEN 0 WHEN s.interval = 'weekly' THEN (s.amount_cents * 104 + 12) / 24 WHEN s.interval = 'quarterly' THEN (s.amount_cents * 2 + 3) / 6 WHEN s.interval = 'semiannual' THEN (s.amount_cents * 2 + 6) / 12 WHEN s.interval = 'annual' THEN (s.amount_cents * 2 + 12) / 24 ELSE s.amount_cents END)) FROM subscriptions s WHERE s.started_at IS NOT NULL GROUP BY 1, 2, 3, 4;
