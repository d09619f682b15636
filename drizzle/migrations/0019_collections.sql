CREATE TABLE `post_reads` (
	`person_id` text NOT NULL,
	`post_id` text NOT NULL,
	`read_at` integer NOT NULL,
	PRIMARY KEY(`person_id`, `post_id`)
) STRICT;
--> statement-breakpoint
ALTER TABLE `collections` ADD `price_cents` integer;--> statement-breakpoint
ALTER TABLE `collections` ADD `cover_media_id` text;--> statement-breakpoint
ALTER TABLE `collections` ADD `placed_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `collections` ADD `held_at` integer;--> statement-breakpoint
ALTER TABLE `collections` ADD `deleted_at` integer;--> statement-breakpoint
CREATE INDEX `collections_cover` ON `collections` (`cover_media_id`);--> statement-breakpoint
CREATE INDEX `collection_posts_order` ON `collection_posts` (`collection_id`,`position`,`post_id`);
--> statement-breakpoint
UPDATE collections SET placed_count = (SELECT COUNT(*) FROM collection_posts c WHERE c.collection_id = collections.id);
--> statement-breakpoint
-- At most 500 posts, its creator's own: whoever bought the collection sees what is put in it.
CREATE TRIGGER collection_posts_insert BEFORE INSERT ON collection_posts
BEGIN
  SELECT RAISE(ABORT, 'collection_full')
    WHERE NOT EXISTS (SELECT 1 FROM collection_posts placed WHERE placed.collection_id = NEW.collection_id AND placed.post_id = NEW.post_id)
      AND EXISTS (SELECT 1 FROM collections c WHERE c.id = NEW.collection_id AND c.placed_count >= 500);
  SELECT RAISE(ABORT, 'collection_foreign')
    WHERE EXISTS (SELECT 1 FROM collections c JOIN posts p ON p.author_id <> c.creator_id WHERE c.id = NEW.collection_id AND p.id = NEW.post_id);
END;
--> statement-breakpoint
CREATE TRIGGER collection_posts_update BEFORE UPDATE OF collection_id, post_id ON collection_posts
BEGIN SELECT RAISE(ABORT, 'immutable_placement'); END;
--> statement-breakpoint
CREATE TRIGGER collection_posts_counted AFTER INSERT ON collection_posts
BEGIN UPDATE collections SET placed_count = placed_count + 1 WHERE id = NEW.collection_id; END;
--> statement-breakpoint
CREATE TRIGGER collection_posts_uncounted AFTER DELETE ON collection_posts
BEGIN UPDATE collections SET placed_count = placed_count - 1 WHERE id = OLD.collection_id; END;
--> statement-breakpoint
CREATE TRIGGER collections_price_insert BEFORE INSERT ON collections WHEN NEW.price_cents IS NOT NULL AND NEW.price_cents NOT BETWEEN 500 AND 500000
BEGIN SELECT RAISE(ABORT, 'collection_price'); END;
--> statement-breakpoint
CREATE TRIGGER collections_price_update BEFORE UPDATE OF price_cents ON collections WHEN NEW.price_cents IS NOT NULL AND NEW.price_cents NOT BETWEEN 500 AND 500000
BEGIN SELECT RAISE(ABORT, 'collection_price'); END;
--> statement-breakpoint
CREATE TRIGGER collections_cover_not_swept BEFORE UPDATE OF cover_media_id ON collections WHEN NEW.cover_media_id IS NOT OLD.cover_media_id
BEGIN SELECT RAISE(ABORT, 'immutable_media_swept') WHERE EXISTS (SELECT 1 FROM media WHERE id = NEW.cover_media_id AND swept_at IS NOT NULL); END;
--> statement-breakpoint
CREATE TRIGGER collections_cover_first_not_swept BEFORE INSERT ON collections WHEN NEW.cover_media_id IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'immutable_media_swept') WHERE EXISTS (SELECT 1 FROM media WHERE id = NEW.cover_media_id AND swept_at IS NOT NULL); END;
--> statement-breakpoint
CREATE TRIGGER collections_cover_let_go AFTER UPDATE OF cover_media_id ON collections WHEN OLD.cover_media_id IS NOT NEW.cover_media_id
BEGIN UPDATE media SET unused_since = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE id = OLD.cover_media_id; END;
--> statement-breakpoint
CREATE TRIGGER collections_cover_gone AFTER DELETE ON collections WHEN OLD.cover_media_id IS NOT NULL
BEGIN UPDATE media SET unused_since = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE id = OLD.cover_media_id; END;
