CREATE TABLE `post_poll_options` (
	`post_id` text NOT NULL,
	`position` integer NOT NULL,
	`label` text NOT NULL,
	`votes_count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`post_id`, `position`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `post_poll_votes` (
	`post_id` text NOT NULL,
	`person_id` text NOT NULL,
	`choices` integer NOT NULL,
	`voted_at` integer NOT NULL,
	PRIMARY KEY(`post_id`, `person_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `post_poll_votes_person` ON `post_poll_votes` (`person_id`);--> statement-breakpoint
CREATE TABLE `post_polls` (
	`post_id` text PRIMARY KEY NOT NULL,
	`question` text NOT NULL,
	`is_multiple` integer NOT NULL,
	`closes_at` integer,
	`voters_count` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `post_access_rules` ADD `announced_at` integer;--> statement-breakpoint
CREATE INDEX `post_access_rules_opening` ON `post_access_rules` (`opens_at`) WHERE opens_at IS NOT NULL AND announced_at IS NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `erased_at` integer;--> statement-breakpoint
CREATE INDEX `posts_deleted` ON `posts` (`deleted_at`) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
--> statement-breakpoint
CREATE TRIGGER post_poll_votes_counted AFTER INSERT ON post_poll_votes
BEGIN
  UPDATE post_polls SET voters_count = voters_count + 1 WHERE post_id = NEW.post_id;
  UPDATE post_poll_options SET votes_count = votes_count + 1 WHERE post_id = NEW.post_id AND (NEW.choices >> position) & 1;
END;
--> statement-breakpoint
CREATE TRIGGER post_poll_votes_recounted AFTER UPDATE OF choices ON post_poll_votes
BEGIN
  UPDATE post_poll_options SET votes_count = votes_count + ((NEW.choices >> position) & 1) - ((OLD.choices >> position) & 1) WHERE post_id = NEW.post_id;
END;
--> statement-breakpoint
CREATE TRIGGER post_poll_votes_uncounted AFTER DELETE ON post_poll_votes
BEGIN
  UPDATE post_polls SET voters_count = voters_count - 1 WHERE post_id = OLD.post_id;
  UPDATE post_poll_options SET votes_count = votes_count - 1 WHERE post_id = OLD.post_id AND (OLD.choices >> position) & 1;
END;
--> statement-breakpoint
-- A vote is for something, for options that there are, and for one of them unless the poll allows more.
CREATE TRIGGER post_poll_votes_valid BEFORE INSERT ON post_poll_votes
WHEN NEW.choices <= 0 OR (NEW.choices & ~COALESCE((SELECT SUM(1 << position) FROM post_poll_options WHERE post_id = NEW.post_id), 0)) <> 0
  OR ((NEW.choices & (NEW.choices - 1)) <> 0 AND NOT EXISTS (SELECT 1 FROM post_polls WHERE post_id = NEW.post_id AND is_multiple = 1))
BEGIN SELECT RAISE(ABORT, 'immutable_poll'); END;
--> statement-breakpoint
CREATE TRIGGER post_poll_votes_still_valid BEFORE UPDATE ON post_poll_votes
WHEN NEW.choices <= 0 OR (NEW.choices & ~COALESCE((SELECT SUM(1 << position) FROM post_poll_options WHERE post_id = NEW.post_id), 0)) <> 0
  OR ((NEW.choices & (NEW.choices - 1)) <> 0 AND NOT EXISTS (SELECT 1 FROM post_polls WHERE post_id = NEW.post_id AND is_multiple = 1))
  OR NEW.post_id <> OLD.post_id OR NEW.person_id <> OLD.person_id
BEGIN SELECT RAISE(ABORT, 'immutable_poll'); END;
--> statement-breakpoint
-- Who voted answered this question with these options.
CREATE TRIGGER post_polls_asked BEFORE UPDATE OF question, is_multiple ON post_polls
WHEN OLD.voters_count > 0 AND (NEW.question <> OLD.question OR NEW.is_multiple <> OLD.is_multiple)
BEGIN SELECT RAISE(ABORT, 'immutable_poll'); END;
--> statement-breakpoint
CREATE TRIGGER post_polls_kept BEFORE DELETE ON post_polls WHEN OLD.voters_count > 0
BEGIN SELECT RAISE(ABORT, 'immutable_poll'); END;
--> statement-breakpoint
CREATE TRIGGER post_poll_options_kept BEFORE DELETE ON post_poll_options
WHEN EXISTS (SELECT 1 FROM post_polls WHERE post_id = OLD.post_id AND voters_count > 0)
BEGIN SELECT RAISE(ABORT, 'immutable_poll'); END;
--> statement-breakpoint
CREATE TRIGGER post_poll_options_asked BEFORE UPDATE OF label, position ON post_poll_options
WHEN EXISTS (SELECT 1 FROM post_polls WHERE post_id = OLD.post_id AND voters_count > 0)
BEGIN SELECT RAISE(ABORT, 'immutable_poll'); END;
--> statement-breakpoint
CREATE TRIGGER post_poll_options_added BEFORE INSERT ON post_poll_options
WHEN EXISTS (SELECT 1 FROM post_polls WHERE post_id = NEW.post_id AND voters_count > 0)
BEGIN SELECT RAISE(ABORT, 'immutable_poll'); END;
--> statement-breakpoint
-- What opened before this was never announced, and is not news any more.
UPDATE post_access_rules SET announced_at = opens_at WHERE opens_at IS NOT NULL AND opens_at <= unixepoch() * 1000;
