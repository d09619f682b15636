CREATE TABLE `discovery_dirty` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`after` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`kind`, `id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `explore_entries` (
	`facet` text NOT NULL,
	`post_id` text NOT NULL,
	`opened_at` integer NOT NULL,
	`heat` integer,
	PRIMARY KEY(`facet`, `post_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `explore_entries_new` ON `explore_entries` (`facet`,`opened_at`,`post_id`);--> statement-breakpoint
CREATE INDEX `explore_entries_rising` ON `explore_entries` (`facet`,`heat`,`post_id`) WHERE heat IS NOT NULL;--> statement-breakpoint
CREATE INDEX `explore_entries_post` ON `explore_entries` (`post_id`);--> statement-breakpoint
CREATE TABLE `searchable_creators` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`person_id` text NOT NULL,
	`tier` integer DEFAULT 0 NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `searchable_creators_person_id_unique` ON `searchable_creators` (`person_id`);--> statement-breakpoint
CREATE TABLE `searchable_posts` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`post_id` text NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `searchable_posts_post_id_unique` ON `searchable_posts` (`post_id`);--> statement-breakpoint
ALTER TABLE `profiles` ADD `category` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `profiles_category` ON `profiles` (`category`,`followers_count`,`person_id`) WHERE is_creator = 1;--> statement-breakpoint
CREATE INDEX `post_likes_recent` ON `post_likes` (`post_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `posts_listed` ON `posts` (`author_id`,`published_at`,`id`) WHERE state = 'published' AND held_at IS NULL AND deleted_at IS NULL;
--> statement-breakpoint
-- Full-text indexes that keep no text of their own. "Música", "musica" and "MÚSICA" are one word in all three. The triggers below are the only
-- ones that write them, through `searchable_posts` and `searchable_creators`.
CREATE VIRTUAL TABLE post_search USING fts5(title, teaser, body, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE VIRTUAL TABLE creator_search USING fts5(name, username, craft, city, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2', prefix='2 3');
--> statement-breakpoint
CREATE VIRTUAL TABLE creator_trigrams USING fts5(name, username, content='', contentless_delete=1, tokenize='trigram remove_diacritics 1');
--> statement-breakpoint
-- A published post is in the index; its text only where everyone may read it from the start, so that no locked word is ever there to be found.
CREATE TRIGGER post_search_added AFTER INSERT ON searchable_posts
BEGIN
  INSERT INTO post_search (rowid, title, teaser, body) SELECT NEW.seq, p.title, p.teaser, CASE WHEN EXISTS (SELECT 1 FROM post_access_rules r WHERE r.post_id = p.id AND r.kind = 'public' AND r.opens_at IS NULL) THEN p.content ELSE '' END
    FROM posts p WHERE p.id = NEW.post_id AND p.state = 'published' AND p.held_at IS NULL AND p.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER post_search_changed AFTER UPDATE ON searchable_posts
BEGIN
  DELETE FROM post_search WHERE rowid = OLD.seq;
  INSERT INTO post_search (rowid, title, teaser, body) SELECT NEW.seq, p.title, p.teaser, CASE WHEN EXISTS (SELECT 1 FROM post_access_rules r WHERE r.post_id = p.id AND r.kind = 'public' AND r.opens_at IS NULL) THEN p.content ELSE '' END
    FROM posts p WHERE p.id = NEW.post_id AND p.state = 'published' AND p.held_at IS NULL AND p.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER post_search_removed AFTER DELETE ON searchable_posts
BEGIN DELETE FROM post_search WHERE rowid = OLD.seq; END;
--> statement-breakpoint
-- What changes a post's words or who may read them writes its row of the index anew, and tells the rollup.
CREATE TRIGGER posts_discovered AFTER INSERT ON posts WHEN NEW.state = 'published'
BEGIN
  INSERT INTO searchable_posts (post_id) VALUES (NEW.id) ON CONFLICT (post_id) DO UPDATE SET revision = revision + 1;
  INSERT INTO discovery_dirty (kind, id) VALUES ('post', NEW.id) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER posts_rediscovered AFTER UPDATE OF title, teaser, content, state, published_at, held_at, deleted_at ON posts WHEN NEW.state = 'published' OR OLD.state = 'published'
BEGIN
  INSERT INTO searchable_posts (post_id) VALUES (NEW.id) ON CONFLICT (post_id) DO UPDATE SET revision = revision + 1;
  INSERT INTO discovery_dirty (kind, id) VALUES ('post', NEW.id) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER posts_undiscovered AFTER DELETE ON posts
BEGIN
  DELETE FROM searchable_posts WHERE post_id = OLD.id;
  INSERT INTO discovery_dirty (kind, id) VALUES ('post', OLD.id) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER post_access_rules_opened AFTER INSERT ON post_access_rules WHEN NEW.kind = 'public'
BEGIN
  UPDATE searchable_posts SET revision = revision + 1 WHERE post_id = NEW.post_id;
  INSERT INTO discovery_dirty (kind, id) VALUES ('post', NEW.post_id) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER post_access_rules_closed AFTER DELETE ON post_access_rules WHEN OLD.kind = 'public'
BEGIN
  UPDATE searchable_posts SET revision = revision + 1 WHERE post_id = OLD.post_id;
  INSERT INTO discovery_dirty (kind, id) VALUES ('post', OLD.post_id) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER post_access_rules_changed AFTER UPDATE ON post_access_rules
BEGIN
  UPDATE searchable_posts SET revision = revision + 1 WHERE post_id = NEW.post_id;
  INSERT INTO discovery_dirty (kind, id) VALUES ('post', NEW.post_id) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER post_media_added_discovered AFTER INSERT ON post_media
BEGIN INSERT INTO discovery_dirty (kind, id) VALUES ('post', NEW.post_id) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER post_media_removed_discovered AFTER DELETE ON post_media
BEGIN INSERT INTO discovery_dirty (kind, id) VALUES ('post', OLD.post_id) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER post_likes_added_discovered AFTER INSERT ON post_likes
BEGIN INSERT INTO discovery_dirty (kind, id) VALUES ('post', NEW.post_id) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER post_likes_removed_discovered AFTER DELETE ON post_likes
BEGIN INSERT INTO discovery_dirty (kind, id) VALUES ('post', OLD.post_id) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER comments_added_discovered AFTER INSERT ON comments
BEGIN INSERT INTO discovery_dirty (kind, id) VALUES ('post', NEW.post_id) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER comments_changed_discovered AFTER UPDATE OF deleted_at, hidden_at ON comments
BEGIN INSERT INTO discovery_dirty (kind, id) VALUES ('post', NEW.post_id) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER profiles_category_discovered AFTER UPDATE OF category ON profiles WHEN NEW.category <> OLD.category
BEGIN INSERT INTO discovery_dirty (kind, id) VALUES ('author', NEW.person_id) ON CONFLICT (kind, id) DO UPDATE SET after = ''; END;
--> statement-breakpoint
CREATE TRIGGER people_standing_discovered AFTER UPDATE OF banned_at, leaving_at ON people WHEN NEW.banned_at IS NOT OLD.banned_at OR NEW.leaving_at IS NOT OLD.leaving_at
BEGIN INSERT INTO discovery_dirty (kind, id) VALUES ('author', NEW.id) ON CONFLICT (kind, id) DO UPDATE SET after = ''; END;
--> statement-breakpoint
CREATE TRIGGER creator_search_added AFTER INSERT ON searchable_creators
BEGIN
  INSERT INTO creator_search (rowid, name, username, craft, city) SELECT NEW.seq - NEW.tier * 4294967296, p.name, p.username, p.craft, p.city FROM profiles p WHERE p.person_id = NEW.person_id AND p.is_creator = 1;
  INSERT INTO creator_trigrams (rowid, name, username) SELECT NEW.seq - NEW.tier * 4294967296, p.name, p.username FROM profiles p WHERE p.person_id = NEW.person_id AND p.is_creator = 1;
END;
--> statement-breakpoint
CREATE TRIGGER creator_search_changed AFTER UPDATE ON searchable_creators
BEGIN
  DELETE FROM creator_search WHERE rowid = OLD.seq - OLD.tier * 4294967296;
  DELETE FROM creator_trigrams WHERE rowid = OLD.seq - OLD.tier * 4294967296;
  INSERT INTO creator_search (rowid, name, username, craft, city) SELECT NEW.seq - NEW.tier * 4294967296, p.name, p.username, p.craft, p.city FROM profiles p WHERE p.person_id = NEW.person_id AND p.is_creator = 1;
  INSERT INTO creator_trigrams (rowid, name, username) SELECT NEW.seq - NEW.tier * 4294967296, p.name, p.username FROM profiles p WHERE p.person_id = NEW.person_id AND p.is_creator = 1;
END;
--> statement-breakpoint
-- Each doubling of the followers is a tier.
CREATE TRIGGER profiles_discovered AFTER INSERT ON profiles WHEN NEW.is_creator = 1
BEGIN INSERT INTO searchable_creators (person_id, tier) VALUES (NEW.person_id, CAST(log2(MAX(NEW.followers_count, 0) + 1) AS INTEGER)); END;
--> statement-breakpoint
CREATE TRIGGER profiles_rediscovered AFTER UPDATE OF name, username, craft, city, is_creator ON profiles WHEN NEW.is_creator = 1 OR OLD.is_creator = 1
BEGIN
  INSERT INTO searchable_creators (person_id, tier) VALUES (NEW.person_id, CAST(log2(MAX(NEW.followers_count, 0) + 1) AS INTEGER)) ON CONFLICT (person_id) DO UPDATE SET tier = excluded.tier, revision = revision + 1;
END;
--> statement-breakpoint
CREATE TRIGGER profiles_climbed AFTER UPDATE OF followers_count ON profiles WHEN NEW.is_creator = 1 AND CAST(log2(MAX(NEW.followers_count, 0) + 1) AS INTEGER) <> CAST(log2(MAX(OLD.followers_count, 0) + 1) AS INTEGER)
BEGIN UPDATE searchable_creators SET tier = CAST(log2(MAX(NEW.followers_count, 0) + 1) AS INTEGER), revision = revision + 1 WHERE person_id = NEW.person_id; END;
--> statement-breakpoint
-- What is there already.
INSERT INTO searchable_posts (post_id) SELECT id FROM posts WHERE state = 'published' ORDER BY published_at, id;
--> statement-breakpoint
INSERT INTO discovery_dirty (kind, id) SELECT 'post', id FROM posts WHERE state = 'published';
--> statement-breakpoint
INSERT INTO searchable_creators (person_id, tier) SELECT person_id, CAST(log2(MAX(profiles.followers_count, 0) + 1) AS INTEGER) FROM profiles WHERE is_creator = 1;
