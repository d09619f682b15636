CREATE TABLE `page_changes` (
	`tag` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL
) STRICT;
--> statement-breakpoint
-- Stored copies of public pages are purged by these rows. A trigger writes them with each change that a visitor can see: no command has to remember it. Counts (likes, followers, seats, new comments) wait until the copy is renewed, within a minute.
CREATE TRIGGER page_changes_profile AFTER UPDATE OF username, name, bio, city, craft, category, avatar_media_id, banner_media_id, links, is_adult, is_creator ON profiles
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || OLD.username, 1 WHERE 1
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
  INSERT INTO page_changes (tag, version) SELECT 'space:' || NEW.username, 1 WHERE NEW.username <> OLD.username
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
  INSERT INTO page_changes (tag, version) SELECT 'explore', 1 WHERE NEW.is_adult <> OLD.is_adult
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER page_changes_person AFTER UPDATE OF banned_at, leaving_at, deleted_at ON people WHEN NEW.banned_at IS NOT OLD.banned_at OR NEW.leaving_at IS NOT OLD.leaving_at OR NEW.deleted_at IS NOT OLD.deleted_at
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || username, 1 FROM profiles WHERE person_id = NEW.id
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
  INSERT INTO page_changes (tag, version) SELECT 'explore', 1 WHERE 1
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER page_changes_post_published AFTER INSERT ON posts WHEN NEW.state = 'published'
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || username, 1 FROM profiles WHERE person_id = NEW.author_id
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER page_changes_post AFTER UPDATE OF title, teaser, content, state, published_at, edited_at, pinned_at, is_sensitive, held_at, deleted_at, comments_closed_at ON posts WHEN OLD.state = 'published' OR NEW.state = 'published'
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || username, 1 FROM profiles WHERE person_id = NEW.author_id
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
  INSERT INTO page_changes (tag, version) SELECT 'explore', 1 WHERE NEW.held_at IS NOT OLD.held_at
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER page_changes_plan AFTER UPDATE OF name, description, benefits, state, seats_limit, trial_days ON plans WHEN OLD.state = 'active' OR NEW.state = 'active'
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || username, 1 FROM profiles WHERE person_id = NEW.creator_id
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER page_changes_price AFTER INSERT ON plan_prices
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || p.username, 1 FROM plans l JOIN profiles p ON p.person_id = l.creator_id WHERE l.id = NEW.plan_id AND l.state = 'active'
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER page_changes_price_retired AFTER UPDATE OF retired_at ON plan_prices
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || p.username, 1 FROM plans l JOIN profiles p ON p.person_id = l.creator_id WHERE l.id = NEW.plan_id AND l.state = 'active'
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER page_changes_vacation_started AFTER INSERT ON vacations
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || username, 1 FROM profiles WHERE person_id = NEW.creator_id
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER page_changes_vacation AFTER UPDATE OF starts_at, ends_at, returned_at ON vacations
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || username, 1 FROM profiles WHERE person_id = NEW.creator_id
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER page_changes_collection_made AFTER INSERT ON collections
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || username, 1 FROM profiles WHERE person_id = NEW.creator_id
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER page_changes_collection AFTER UPDATE OF title, description, price_cents, cover_media_id, placed_count, held_at, deleted_at ON collections
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || username, 1 FROM profiles WHERE person_id = NEW.creator_id
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER page_changes_collection_order AFTER UPDATE OF position ON collection_posts WHEN NEW.position <> OLD.position
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || p.username, 1 FROM collections c JOIN profiles p ON p.person_id = c.creator_id WHERE c.id = NEW.collection_id
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER page_changes_event_published AFTER INSERT ON events WHEN NEW.status = 'published'
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || username, 1 FROM profiles WHERE person_id = NEW.creator_id
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER page_changes_event AFTER UPDATE OF title, description, place, cover_media_id, starts_at, ends_at, status, capacity, price_from_cents, revision ON events WHEN OLD.status <> 'draft' OR NEW.status <> 'draft'
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || username, 1 FROM profiles WHERE person_id = NEW.creator_id
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER page_changes_comment AFTER UPDATE OF body, hidden_at, held_at, deleted_at, pinned_at ON comments
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || p.username, 1 FROM posts t JOIN profiles p ON p.person_id = t.author_id WHERE t.id = NEW.post_id AND t.state = 'published'
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER page_changes_poll AFTER UPDATE OF closes_at ON post_polls
BEGIN
  INSERT INTO page_changes (tag, version) SELECT 'space:' || p.username, 1 FROM posts t JOIN profiles p ON p.person_id = t.author_id WHERE t.id = NEW.post_id AND t.state = 'published'
  ON CONFLICT (tag) DO UPDATE SET version = version + 1;
END;
