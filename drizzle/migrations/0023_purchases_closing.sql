ALTER TABLE `purchases` ADD `closes_at` integer;--> statement-breakpoint
CREATE INDEX `purchases_closing` ON `purchases` (`closes_at`) WHERE closes_at IS NOT NULL AND ended_at IS NULL;
--> statement-breakpoint
-- What its buyers cannot see any more is given back a day after, so that a slip may be undone first: a post deleted or held, a seller banned.
CREATE TRIGGER purchases_bought_gone AFTER UPDATE OF bought_at ON purchases WHEN NEW.bought_at IS NOT NULL
BEGIN
  UPDATE purchases SET closes_at = 86400000 + COALESCE(
      (SELECT COALESCE(gone.deleted_at, gone.held_at) FROM posts gone WHERE NEW.kind = 'post' AND gone.id = NEW.target_id),
      (SELECT banned.banned_at FROM people banned WHERE banned.id = NEW.creator_id))
    WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER purchases_post_gone AFTER UPDATE OF deleted_at, held_at ON posts
WHEN NEW.deleted_at IS NOT OLD.deleted_at OR NEW.held_at IS NOT OLD.held_at
BEGIN
  UPDATE purchases SET closes_at = 86400000 + COALESCE(NEW.deleted_at, NEW.held_at, (SELECT banned.banned_at FROM people banned WHERE banned.id = NEW.author_id))
    WHERE target_id = NEW.id AND kind = 'post' AND bought_at IS NOT NULL AND ended_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER purchases_seller_gone AFTER UPDATE OF banned_at ON people WHEN NEW.banned_at IS NOT OLD.banned_at
BEGIN
  UPDATE purchases SET closes_at = 86400000 + COALESCE(
      (SELECT COALESCE(gone.deleted_at, gone.held_at) FROM posts gone WHERE purchases.kind = 'post' AND gone.id = purchases.target_id),
      NEW.banned_at)
    WHERE creator_id = NEW.id AND bought_at IS NOT NULL AND ended_at IS NULL;
END;
