CREATE TABLE `age_checks` (
	`person_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`provider` text NOT NULL,
	`begun_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`answer` text,
	`answered_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `age_checks_id` ON `age_checks` (`id`);--> statement-breakpoint
CREATE INDEX `profiles_adult` ON `profiles` (`person_id`) WHERE is_adult = 1;
--> statement-breakpoint
-- A check begins unanswered, is answered once, and a yes is for good.
CREATE TRIGGER age_checks_insert BEFORE INSERT ON age_checks
BEGIN SELECT RAISE(ABORT, 'immutable_age_check') WHERE NEW.answer IS NOT NULL OR NEW.answered_at IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER age_checks_update BEFORE UPDATE ON age_checks
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE (NEW.answer IS NULL) <> (NEW.answered_at IS NULL) OR NEW.answer NOT IN ('yes', 'no');
  SELECT RAISE(ABORT, 'immutable_age_check') WHERE OLD.answer = 'yes' OR NEW.person_id <> OLD.person_id OR (NEW.answer IS NOT NULL AND NEW.id <> OLD.id);
END;
--> statement-breakpoint
-- A declared age never suffices: nobody is an adult here without the yes of a check.
CREATE TRIGGER people_age_checked BEFORE UPDATE OF age_checked_at ON people WHEN NEW.age_checked_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'immutable_age_unchecked') WHERE NOT EXISTS (
    SELECT 1 FROM age_checks c WHERE c.person_id = NEW.id AND c.answer = 'yes' AND c.answered_at = NEW.age_checked_at);
END;
--> statement-breakpoint
CREATE TRIGGER people_age_declared BEFORE INSERT ON people WHEN NEW.age_checked_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'immutable_age_unchecked'); END;
