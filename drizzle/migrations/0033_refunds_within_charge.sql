-- Never more is decided to go back than what is left of a charge, whoever decides: raised as what moved under its reader, who reads again.
DROP TRIGGER refunds_decided_insert;
--> statement-breakpoint
CREATE TRIGGER refunds_requested_insert BEFORE INSERT ON refunds WHEN NEW.status = 'requested'
BEGIN
  SELECT RAISE(ABORT, 'immutable_refund_waits') WHERE NEW.decided_by IS NOT NULL AND EXISTS (SELECT 1 FROM refunds r WHERE r.charge_id = NEW.charge_id AND r.status = 'requested');
  SELECT RAISE(ABORT, 'ledger_over_refund') WHERE NEW.amount_cents <= 0 OR NOT EXISTS (
    SELECT 1 FROM charges c WHERE c.id = NEW.charge_id AND c.status IN ('succeeded', 'partially_refunded', 'dispute_won')
      AND NEW.amount_cents <= c.amount_cents - c.refunded_cents - (SELECT COALESCE(SUM(r.amount_cents), 0) FROM refunds r WHERE r.charge_id = NEW.charge_id AND r.status = 'requested'));
END;
--> statement-breakpoint
-- A collection of which nothing can be seen any more is given back a day after its last post went, as a post is, and what comes back takes the day back.
-- Nothing to see without a date of its own (a draft, an empty shelf) counts from the payment.
DROP TRIGGER purchases_bought_gone;
--> statement-breakpoint
DROP TRIGGER purchases_seller_gone;
--> statement-breakpoint
CREATE TRIGGER purchases_bought_gone AFTER UPDATE OF bought_at ON purchases WHEN NEW.bought_at IS NOT NULL
BEGIN
  UPDATE purchases SET closes_at = 86400000 + COALESCE(
      (SELECT COALESCE(gone.deleted_at, gone.held_at) FROM posts gone WHERE purchases.kind = 'post' AND gone.id = purchases.target_id),
      CASE WHEN purchases.kind = 'collection'
      AND NOT EXISTS (SELECT 1 FROM purchase_posts kept JOIN posts s ON s.id = kept.post_id WHERE kept.purchase_id = purchases.id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM collection_posts held JOIN posts s ON s.id = held.post_id WHERE held.collection_id = purchases.target_id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      THEN COALESCE((SELECT MAX(COALESCE(gone.deleted_at, gone.held_at)) FROM posts gone WHERE gone.id IN (SELECT kept.post_id FROM purchase_posts kept WHERE kept.purchase_id = purchases.id
        UNION SELECT held.post_id FROM collection_posts held WHERE held.collection_id = purchases.target_id)), purchases.bought_at) END,
      (SELECT banned.banned_at FROM people banned WHERE banned.id = purchases.creator_id))
    WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER purchases_seller_gone AFTER UPDATE OF banned_at ON people WHEN NEW.banned_at IS NOT OLD.banned_at
BEGIN
  UPDATE purchases SET closes_at = 86400000 + COALESCE(
      (SELECT COALESCE(gone.deleted_at, gone.held_at) FROM posts gone WHERE purchases.kind = 'post' AND gone.id = purchases.target_id),
      CASE WHEN purchases.kind = 'collection'
      AND NOT EXISTS (SELECT 1 FROM purchase_posts kept JOIN posts s ON s.id = kept.post_id WHERE kept.purchase_id = purchases.id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM collection_posts held JOIN posts s ON s.id = held.post_id WHERE held.collection_id = purchases.target_id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      THEN COALESCE((SELECT MAX(COALESCE(gone.deleted_at, gone.held_at)) FROM posts gone WHERE gone.id IN (SELECT kept.post_id FROM purchase_posts kept WHERE kept.purchase_id = purchases.id
        UNION SELECT held.post_id FROM collection_posts held WHERE held.collection_id = purchases.target_id)), purchases.bought_at) END,
      NEW.banned_at)
    WHERE creator_id = NEW.id AND bought_at IS NOT NULL AND ended_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER purchases_collection_gone AFTER UPDATE OF deleted_at, held_at, state ON posts
WHEN NEW.deleted_at IS NOT OLD.deleted_at OR NEW.held_at IS NOT OLD.held_at OR NEW.state <> OLD.state
BEGIN
  UPDATE purchases SET closes_at = 86400000 + COALESCE(
      CASE WHEN purchases.kind = 'collection'
      AND NOT EXISTS (SELECT 1 FROM purchase_posts kept JOIN posts s ON s.id = kept.post_id WHERE kept.purchase_id = purchases.id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM collection_posts held JOIN posts s ON s.id = held.post_id WHERE held.collection_id = purchases.target_id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      THEN COALESCE((SELECT MAX(COALESCE(gone.deleted_at, gone.held_at)) FROM posts gone WHERE gone.id IN (SELECT kept.post_id FROM purchase_posts kept WHERE kept.purchase_id = purchases.id
        UNION SELECT held.post_id FROM collection_posts held WHERE held.collection_id = purchases.target_id)), purchases.bought_at) END,
      (SELECT banned.banned_at FROM people banned WHERE banned.id = purchases.creator_id))
    WHERE kind = 'collection' AND bought_at IS NOT NULL AND ended_at IS NULL AND id IN (SELECT kept.purchase_id FROM purchase_posts kept WHERE kept.post_id = NEW.id
      UNION SELECT sold.id FROM collection_posts held JOIN purchases sold ON sold.target_id = held.collection_id WHERE held.post_id = NEW.id AND sold.bought_at IS NOT NULL AND sold.ended_at IS NULL);
END;
--> statement-breakpoint
CREATE TRIGGER purchases_collection_filled AFTER INSERT ON collection_posts
BEGIN
  UPDATE purchases SET closes_at = 86400000 + COALESCE(
      CASE WHEN purchases.kind = 'collection'
      AND NOT EXISTS (SELECT 1 FROM purchase_posts kept JOIN posts s ON s.id = kept.post_id WHERE kept.purchase_id = purchases.id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM collection_posts held JOIN posts s ON s.id = held.post_id WHERE held.collection_id = purchases.target_id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      THEN COALESCE((SELECT MAX(COALESCE(gone.deleted_at, gone.held_at)) FROM posts gone WHERE gone.id IN (SELECT kept.post_id FROM purchase_posts kept WHERE kept.purchase_id = purchases.id
        UNION SELECT held.post_id FROM collection_posts held WHERE held.collection_id = purchases.target_id)), purchases.bought_at) END,
      (SELECT banned.banned_at FROM people banned WHERE banned.id = purchases.creator_id))
    WHERE target_id = NEW.collection_id AND kind = 'collection' AND bought_at IS NOT NULL AND ended_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER purchases_collection_emptied AFTER DELETE ON collection_posts
BEGIN
  UPDATE purchases SET closes_at = 86400000 + COALESCE(
      CASE WHEN purchases.kind = 'collection'
      AND NOT EXISTS (SELECT 1 FROM purchase_posts kept JOIN posts s ON s.id = kept.post_id WHERE kept.purchase_id = purchases.id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM collection_posts held JOIN posts s ON s.id = held.post_id WHERE held.collection_id = purchases.target_id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      THEN COALESCE((SELECT MAX(COALESCE(gone.deleted_at, gone.held_at)) FROM posts gone WHERE gone.id IN (SELECT kept.post_id FROM purchase_posts kept WHERE kept.purchase_id = purchases.id
        UNION SELECT held.post_id FROM collection_posts held WHERE held.collection_id = purchases.target_id)), purchases.bought_at) END,
      (SELECT banned.banned_at FROM people banned WHERE banned.id = purchases.creator_id))
    WHERE target_id = OLD.collection_id AND kind = 'collection' AND bought_at IS NOT NULL AND ended_at IS NULL;
END;
--> statement-breakpoint
-- What is empty already.
UPDATE purchases SET closes_at = 86400000 + COALESCE(
      CASE WHEN purchases.kind = 'collection'
      AND NOT EXISTS (SELECT 1 FROM purchase_posts kept JOIN posts s ON s.id = kept.post_id WHERE kept.purchase_id = purchases.id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM collection_posts held JOIN posts s ON s.id = held.post_id WHERE held.collection_id = purchases.target_id AND s.state = 'published' AND s.deleted_at IS NULL AND s.held_at IS NULL)
      THEN COALESCE((SELECT MAX(COALESCE(gone.deleted_at, gone.held_at)) FROM posts gone WHERE gone.id IN (SELECT kept.post_id FROM purchase_posts kept WHERE kept.purchase_id = purchases.id
        UNION SELECT held.post_id FROM collection_posts held WHERE held.collection_id = purchases.target_id)), purchases.bought_at) END,
      (SELECT banned.banned_at FROM people banned WHERE banned.id = purchases.creator_id))
    WHERE kind = 'collection' AND bought_at IS NOT NULL AND ended_at IS NULL;
