CREATE TABLE `comment_likes` (
	`comment_id` text NOT NULL,
	`person_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`comment_id`, `person_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `comment_likes_person` ON `comment_likes` (`person_id`);--> statement-breakpoint
CREATE TABLE `flood_counts` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`window_started_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `comments` ADD `parent_id` text;--> statement-breakpoint
ALTER TABLE `comments` ADD `mentions` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `comments` ADD `likes_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `comments` ADD `replies_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `comments` ADD `edited_at` integer;--> statement-breakpoint
ALTER TABLE `comments` ADD `hidden_at` integer;--> statement-breakpoint
ALTER TABLE `comments` ADD `pinned_at` integer;--> statement-breakpoint
CREATE INDEX `comments_roots` ON `comments` (`post_id`,`created_at`,`id`) WHERE parent_id IS NULL;--> statement-breakpoint
CREATE INDEX `comments_replies` ON `comments` (`parent_id`,`created_at`,`id`) WHERE parent_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `comments_one_pinned` ON `comments` (`post_id`) WHERE pinned_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `comments_removed` ON `comments` (`deleted_at`) WHERE deleted_at IS NOT NULL AND body <> '';--> statement-breakpoint
ALTER TABLE `posts` ADD `comments_closed_at` integer;
--> statement-breakpoint
-- Two deep: a reply answers a comment of the same post that is no reply itself.
CREATE TRIGGER comments_two_deep BEFORE INSERT ON comments
WHEN NEW.parent_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM comments p WHERE p.id = NEW.parent_id AND p.post_id = NEW.post_id AND p.parent_id IS NULL)
BEGIN SELECT RAISE(ABORT, 'immutable_thread'); END;
--> statement-breakpoint
CREATE TRIGGER comments_replies_counted AFTER INSERT ON comments WHEN NEW.parent_id IS NOT NULL AND NEW.deleted_at IS NULL AND NEW.hidden_at IS NULL
BEGIN UPDATE comments SET replies_count = replies_count + 1 WHERE id = NEW.parent_id; END;
--> statement-breakpoint
DROP TRIGGER comments_recounted;
--> statement-breakpoint
-- What is removed or hidden does not count, neither on its post nor on what it answers.
CREATE TRIGGER comments_recounted AFTER UPDATE OF deleted_at, hidden_at ON comments
WHEN (NEW.deleted_at IS NULL AND NEW.hidden_at IS NULL) <> (OLD.deleted_at IS NULL AND OLD.hidden_at IS NULL)
BEGIN
  UPDATE posts SET comments_count = comments_count + CASE WHEN NEW.deleted_at IS NULL AND NEW.hidden_at IS NULL THEN 1 ELSE -1 END WHERE id = NEW.post_id;
  UPDATE comments SET replies_count = replies_count + CASE WHEN NEW.deleted_at IS NULL AND NEW.hidden_at IS NULL THEN 1 ELSE -1 END WHERE id = NEW.parent_id;
END;
--> statement-breakpoint
CREATE TRIGGER comment_likes_counted AFTER INSERT ON comment_likes
BEGIN UPDATE comments SET likes_count = likes_count + 1 WHERE id = NEW.comment_id; END;
--> statement-breakpoint
CREATE TRIGGER comment_likes_uncounted AFTER DELETE ON comment_likes
BEGIN UPDATE comments SET likes_count = likes_count - 1 WHERE id = OLD.comment_id; END;
