CREATE TABLE `media_upload_parts` (
	`upload_id` text NOT NULL,
	`number` integer NOT NULL,
	`etag` text NOT NULL,
	PRIMARY KEY(`upload_id`, `number`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `media_uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`kind` text NOT NULL,
	`filename` text NOT NULL,
	`fingerprint` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`part_size_bytes` integer NOT NULL,
	`bucket_upload_id` text NOT NULL,
	`has_poster` integer DEFAULT false NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`touched_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `media_uploads_owner` ON `media_uploads` (`owner_id`,`state`);--> statement-breakpoint
CREATE INDEX `media_uploads_touched` ON `media_uploads` (`touched_at`);--> statement-breakpoint
CREATE TABLE `media_usage` (
	`owner_id` text PRIMARY KEY NOT NULL,
	`stored_bytes` integer NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `media` ADD `kind` text DEFAULT 'image' NOT NULL;--> statement-breakpoint
ALTER TABLE `media` ADD `filename` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `media` ADD `has_poster` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `media` ADD `captions_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `media` ADD `unused_since` integer;--> statement-breakpoint
ALTER TABLE `media` ADD `swept_at` integer;--> statement-breakpoint
CREATE INDEX `media_unused` ON `media` (`unused_since`) WHERE unused_since IS NOT NULL;--> statement-breakpoint
CREATE INDEX `media_swept` ON `media` (`swept_at`) WHERE swept_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `profiles_avatar` ON `profiles` (`avatar_media_id`);--> statement-breakpoint
CREATE INDEX `profiles_banner` ON `profiles` (`banner_media_id`);--> statement-breakpoint
CREATE INDEX `organizations_logo` ON `organizations` (`logo_media_id`);--> statement-breakpoint
-- What each person keeps, moved only when a row is really inserted or removed.
CREATE TRIGGER media_usage_up AFTER INSERT ON media
BEGIN
  INSERT INTO media_usage (owner_id, stored_bytes) VALUES (NEW.owner_id, NEW.size_bytes)
    ON CONFLICT (owner_id) DO UPDATE SET stored_bytes = stored_bytes + excluded.stored_bytes;
END;
--> statement-breakpoint
CREATE TRIGGER media_usage_down AFTER DELETE ON media
BEGIN UPDATE media_usage SET stored_bytes = stored_bytes - OLD.size_bytes WHERE owner_id = OLD.owner_id; END;
--> statement-breakpoint
-- What the sweeper has claimed is gone for whoever comes after, whichever command that is.
CREATE TRIGGER post_media_not_swept BEFORE INSERT ON post_media
BEGIN SELECT RAISE(ABORT, 'immutable_media_swept') WHERE EXISTS (SELECT 1 FROM media WHERE id = NEW.media_id AND swept_at IS NOT NULL); END;
--> statement-breakpoint
CREATE TRIGGER post_media_used AFTER INSERT ON post_media
BEGIN UPDATE media SET unused_since = NULL WHERE id = NEW.media_id AND unused_since IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER post_media_let_go AFTER DELETE ON post_media
BEGIN UPDATE media SET unused_since = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE id = OLD.media_id; END;
--> statement-breakpoint
CREATE TRIGGER profiles_media_not_swept BEFORE UPDATE OF avatar_media_id, banner_media_id ON profiles
BEGIN
  SELECT RAISE(ABORT, 'immutable_media_swept')
    WHERE EXISTS (SELECT 1 FROM media WHERE swept_at IS NOT NULL
      AND ((id = NEW.avatar_media_id AND NEW.avatar_media_id IS NOT OLD.avatar_media_id) OR (id = NEW.banner_media_id AND NEW.banner_media_id IS NOT OLD.banner_media_id)));
END;
--> statement-breakpoint
CREATE TRIGGER profiles_avatar_let_go AFTER UPDATE OF avatar_media_id ON profiles WHEN OLD.avatar_media_id IS NOT NEW.avatar_media_id
BEGIN UPDATE media SET unused_since = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE id = OLD.avatar_media_id; END;
--> statement-breakpoint
CREATE TRIGGER profiles_banner_let_go AFTER UPDATE OF banner_media_id ON profiles WHEN OLD.banner_media_id IS NOT NEW.banner_media_id
BEGIN UPDATE media SET unused_since = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE id = OLD.banner_media_id; END;
--> statement-breakpoint
CREATE TRIGGER organizations_logo_not_swept BEFORE UPDATE OF logo_media_id ON organizations WHEN NEW.logo_media_id IS NOT OLD.logo_media_id
BEGIN SELECT RAISE(ABORT, 'immutable_media_swept') WHERE EXISTS (SELECT 1 FROM media WHERE id = NEW.logo_media_id AND swept_at IS NOT NULL); END;
--> statement-breakpoint
CREATE TRIGGER organizations_logo_let_go AFTER UPDATE OF logo_media_id ON organizations WHEN OLD.logo_media_id IS NOT NEW.logo_media_id
BEGIN UPDATE media SET unused_since = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE id = OLD.logo_media_id; END;
--> statement-breakpoint
-- What was kept before: counted once, and a candidate for the sweeper, who looks before it claims.
INSERT INTO media_usage (owner_id, stored_bytes) SELECT owner_id, SUM(size_bytes) FROM media GROUP BY owner_id;
--> statement-breakpoint
UPDATE media SET unused_since = created_at WHERE id NOT IN (SELECT media_id FROM post_media);
