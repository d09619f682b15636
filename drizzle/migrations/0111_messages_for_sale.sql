ALTER TABLE `conversation_members` ADD `unread_count` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `messages` ADD `price_cents` integer;
--> statement-breakpoint
ALTER TABLE `messages` ADD `tip_cents` integer;
--> statement-breakpoint
ALTER TABLE `report_cases` ADD `ban_lifted_at` integer;
--> statement-breakpoint
-- Own messages are nothing unread: broadcasts came after messages that their sender has not read.
UPDATE conversation_members SET unread_count = (SELECT COUNT(*) FROM messages m
  WHERE m.conversation_id = conversation_members.conversation_id AND m.seq > conversation_members.read_seq AND m.sender_id <> conversation_members.person_id);
--> statement-breakpoint
-- The sender's side of a conversation that holds only their broadcasts.
UPDATE conversation_members SET box = 'broadcast' WHERE box = 'archived'
  AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = conversation_members.conversation_id
    AND (m.sender_id <> conversation_members.person_id OR m.client_message_id NOT LIKE 'broadcast:%'));
--> statement-breakpoint
-- Bans of reports that a moderator ended by hand.
UPDATE report_cases SET ban_lifted_at = (SELECT MIN(a.created_at) FROM moderation_actions a
    WHERE a.person_id = report_cases.author_id AND a.act = 'unban' AND a.case_id IS NULL AND a.moderator_id <> '' AND a.created_at >= report_cases.decided_at)
  WHERE decision = 'ban';
--> statement-breakpoint
DROP TRIGGER messages_media_let_go;
--> statement-breakpoint
CREATE TRIGGER messages_media_released AFTER UPDATE OF media_id ON messages WHEN OLD.media_id IS NOT NULL AND NEW.media_id IS NOT OLD.media_id
BEGIN UPDATE media SET unused_since = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE id = OLD.media_id; END;
--> statement-breakpoint
-- The price of a message's file is what was offered, and never changes.
CREATE TRIGGER messages_price_insert BEFORE INSERT ON messages WHEN NEW.price_cents IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.price_cents <= 0 OR NEW.media_id IS NULL; END;
--> statement-breakpoint
CREATE TRIGGER messages_price_update BEFORE UPDATE OF price_cents ON messages WHEN NEW.price_cents IS NOT OLD.price_cents
BEGIN SELECT RAISE(ABORT, 'immutable_message_price'); END;
--> statement-breakpoint
-- A message can be bought, once its charge succeeded, as posts and collections are.
DROP TRIGGER purchases_insert;
--> statement-breakpoint
CREATE TRIGGER purchases_insert BEFORE INSERT ON purchases
BEGIN
  SELECT RAISE(ABORT, 'immutable_purchase_unpaid') WHERE NEW.bought_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM charges c WHERE c.id = NEW.charge_id AND c.purchase_id = NEW.id AND c.payer_id = NEW.person_id AND c.amount_cents = NEW.amount_cents AND c.succeeded_at IS NOT NULL);
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.kind NOT IN ('post', 'collection', 'message') OR (NEW.ended_at IS NULL) <> (NEW.ended_reason IS NULL);
END;
--> statement-breakpoint
-- A bought message that its sender deletes is refunded a day later, as a post is.
DROP TRIGGER purchases_bought_gone;
--> statement-breakpoint
CREATE TRIGGER purchases_bought_gone AFTER UPDATE OF bought_at ON purchases WHEN NEW.bought_at IS NOT NULL
BEGIN
  UPDATE purchases SET closes_at = 86400000 + COALESCE(
      (SELECT COALESCE(gone.deleted_at, gone.held_at) FROM posts gone WHERE purchases.kind = 'post' AND gone.id = purchases.target_id),
      (SELECT gone.deleted_at FROM messages gone WHERE purchases.kind = 'message' AND gone.id = purchases.target_id),
      CASE WHEN purchases.kind = 'collection'
      AND NOT EXISTS (SELECT 1 FROM purchase_posts kept JOIN posts s ON s.id = kept.post_id WHERE kept.purchase_id = purchases.id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM collection_posts held JOIN posts s ON s.id = held.post_id WHERE held.collection_id = purchases.target_id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      THEN COALESCE((SELECT MAX(COALESCE(gone.deleted_at, gone.held_at)) FROM posts gone WHERE gone.id IN (SELECT kept.post_id FROM purchase_posts kept WHERE kept.purchase_id = purchases.id
        UNION SELECT held.post_id FROM collection_posts held WHERE held.collection_id = purchases.target_id)), purchases.bought_at) END,
      (SELECT banned.banned_at FROM people banned WHERE banned.id = purchases.creator_id))
    WHERE id = NEW.id;
END;
--> statement-breakpoint
DROP TRIGGER purchases_seller_gone;
--> statement-breakpoint
CREATE TRIGGER purchases_seller_gone AFTER UPDATE OF banned_at ON people WHEN NEW.banned_at IS NOT OLD.banned_at
BEGIN
  UPDATE purchases SET closes_at = 86400000 + COALESCE(
      (SELECT COALESCE(gone.deleted_at, gone.held_at) FROM posts gone WHERE purchases.kind = 'post' AND gone.id = purchases.target_id),
      (SELECT gone.deleted_at FROM messages gone WHERE purchases.kind = 'message' AND gone.id = purchases.target_id),
      CASE WHEN purchases.kind = 'collection'
      AND NOT EXISTS (SELECT 1 FROM purchase_posts kept JOIN posts s ON s.id = kept.post_id WHERE kept.purchase_id = purchases.id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM collection_posts held JOIN posts s ON s.id = held.post_id WHERE held.collection_id = purchases.target_id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      THEN COALESCE((SELECT MAX(COALESCE(gone.deleted_at, gone.held_at)) FROM posts gone WHERE gone.id IN (SELECT kept.post_id FROM purchase_posts kept WHERE kept.purchase_id = purchases.id
        UNION SELECT held.post_id FROM collection_posts held WHERE held.collection_id = purchases.target_id)), purchases.bought_at) END,
      NEW.banned_at)
    WHERE creator_id = NEW.id AND bought_at IS NOT NULL AND ended_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER purchases_message_gone AFTER UPDATE OF deleted_at ON messages WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL AND OLD.price_cents IS NOT NULL
BEGIN
  UPDATE purchases SET closes_at = 86400000 + NEW.deleted_at
    WHERE target_id = NEW.id AND kind = 'message' AND bought_at IS NOT NULL AND ended_at IS NULL;
END;
