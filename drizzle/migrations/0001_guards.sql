-- What the database refuses, whoever asks. Written by hand: drizzle-kit writes no triggers.
-- A message is one word, which app/db/client.server.ts turns into a RuleViolation.

-- The ledger is append-only. INSERT OR REPLACE fires no DELETE trigger, so that an existing key is refused on INSERT too.
CREATE TRIGGER ledger_entries_no_update BEFORE UPDATE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'ledger_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_no_delete BEFORE DELETE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'ledger_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_insert BEFORE INSERT ON ledger_entries
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only') WHERE EXISTS (SELECT 1 FROM ledger_entries WHERE id = NEW.id);
  SELECT RAISE(ABORT, 'ledger_zero_leg') WHERE NEW.amount_cents = 0;
  SELECT RAISE(ABORT, 'ledger_no_transaction') WHERE NOT EXISTS (SELECT 1 FROM ledger_transactions WHERE id = NEW.transaction_id);
  SELECT RAISE(ABORT, 'ledger_posted') WHERE EXISTS (SELECT 1 FROM ledger_transactions WHERE id = NEW.transaction_id AND posted_at IS NOT NULL);
  SELECT RAISE(ABORT, 'ledger_no_account') WHERE NOT EXISTS (SELECT 1 FROM ledger_accounts WHERE id = NEW.account_id);
END;
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_no_delete BEFORE DELETE ON ledger_transactions
BEGIN SELECT RAISE(ABORT, 'ledger_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_insert BEFORE INSERT ON ledger_transactions
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only') WHERE EXISTS (SELECT 1 FROM ledger_transactions WHERE id = NEW.id);
  SELECT RAISE(ABORT, 'ledger_source_exists') WHERE EXISTS (SELECT 1 FROM ledger_transactions WHERE source_key = NEW.source_key);
  SELECT RAISE(ABORT, 'ledger_posted_unbalanced') WHERE NEW.posted_at IS NOT NULL;
END;
--> statement-breakpoint
-- Posting is the one update a transaction knows, once, and only when its entries sum to zero.
CREATE TRIGGER ledger_transactions_post BEFORE UPDATE ON ledger_transactions
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only')
    WHERE OLD.posted_at IS NOT NULL OR NEW.posted_at IS NULL OR NEW.id <> OLD.id OR NEW.source_key <> OLD.source_key
      OR NEW.kind <> OLD.kind OR NEW.charge_id IS NOT OLD.charge_id OR NEW.payout_id IS NOT OLD.payout_id OR NEW.created_at <> OLD.created_at;
  SELECT RAISE(ABORT, 'ledger_unbalanced')
    WHERE (SELECT COUNT(*) FROM ledger_entries WHERE transaction_id = NEW.id) < 2
      OR (SELECT SUM(amount_cents) FROM ledger_entries WHERE transaction_id = NEW.id) <> 0;
END;
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_posted AFTER UPDATE OF posted_at ON ledger_transactions
BEGIN
  UPDATE ledger_accounts
    SET balance_cents = balance_cents + (SELECT SUM(amount_cents) FROM ledger_entries WHERE transaction_id = NEW.id AND account_id = ledger_accounts.id)
    WHERE id IN (SELECT account_id FROM ledger_entries WHERE transaction_id = NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER ledger_accounts_no_delete BEFORE DELETE ON ledger_accounts
BEGIN SELECT RAISE(ABORT, 'ledger_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER ledger_accounts_insert BEFORE INSERT ON ledger_accounts
BEGIN
  SELECT RAISE(ABORT, 'ledger_balance_by_hand') WHERE NEW.balance_cents <> 0;
  SELECT RAISE(ABORT, 'ledger_side') WHERE NEW.normal_side NOT IN (1, -1);
END;
--> statement-breakpoint
CREATE TRIGGER ledger_accounts_update BEFORE UPDATE ON ledger_accounts
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only') WHERE NEW.id <> OLD.id OR NEW.kind <> OLD.kind OR NEW.normal_side <> OLD.normal_side OR NEW.has_floor <> OLD.has_floor;
  SELECT RAISE(ABORT, 'ledger_floor') WHERE NEW.has_floor = 1 AND NEW.balance_cents * NEW.normal_side < 0;
END;
--> statement-breakpoint
-- Lists of states live here, because widening a CHECK would rebuild the table.
CREATE TRIGGER subscriptions_state_insert BEFORE INSERT ON subscriptions
WHEN NEW.status NOT IN ('incomplete', 'upcoming', 'trialing', 'active', 'requires_action', 'past_due', 'paused', 'canceled', 'expired')
BEGIN SELECT RAISE(ABORT, 'unknown_state'); END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_state_update BEFORE UPDATE OF status ON subscriptions
WHEN NEW.status NOT IN ('incomplete', 'upcoming', 'trialing', 'active', 'requires_action', 'past_due', 'paused', 'canceled', 'expired')
BEGIN SELECT RAISE(ABORT, 'unknown_state'); END;
--> statement-breakpoint
CREATE TRIGGER charges_state_insert BEFORE INSERT ON charges
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.status NOT IN ('created', 'awaiting_payment', 'requires_action', 'processing', 'succeeded', 'failed', 'expired', 'canceled', 'partially_refunded', 'refunded', 'disputed', 'dispute_won', 'dispute_lost');
  SELECT RAISE(ABORT, 'immutable_split') WHERE NEW.amount_cents <= 0 OR NEW.fee_cents < 0 OR NEW.net_cents < 0 OR NEW.fee_cents + NEW.net_cents <> NEW.amount_cents;
END;
--> statement-breakpoint
CREATE TRIGGER charges_update BEFORE UPDATE ON charges
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.status NOT IN ('created', 'awaiting_payment', 'requires_action', 'processing', 'succeeded', 'failed', 'expired', 'canceled', 'partially_refunded', 'refunded', 'disputed', 'dispute_won', 'dispute_lost');
  SELECT RAISE(ABORT, 'immutable_split') WHERE NEW.amount_cents <> OLD.amount_cents OR NEW.fee_cents <> OLD.fee_cents OR NEW.net_cents <> OLD.net_cents;
  SELECT RAISE(ABORT, 'immutable_over_refund') WHERE NEW.refunded_cents + NEW.disputed_cents > NEW.amount_cents;
END;
--> statement-breakpoint
CREATE TRIGGER payouts_state_insert BEFORE INSERT ON payouts
WHEN NEW.status NOT IN ('requested', 'held', 'claimed', 'sent', 'paid', 'failed', 'returned', 'canceled')
BEGIN SELECT RAISE(ABORT, 'unknown_state'); END;
--> statement-breakpoint
CREATE TRIGGER payouts_update BEFORE UPDATE ON payouts
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.status NOT IN ('requested', 'held', 'claimed', 'sent', 'paid', 'failed', 'returned', 'canceled');
  SELECT RAISE(ABORT, 'immutable_amount') WHERE OLD.amount_cents <> 0 AND NEW.amount_cents <> OLD.amount_cents;
END;
--> statement-breakpoint
CREATE TRIGGER plans_seats BEFORE UPDATE OF seats_taken ON plans
WHEN NEW.seats_taken < 0 OR (NEW.seats_taken > OLD.seats_taken AND NEW.seats_limit IS NOT NULL AND NEW.seats_taken > NEW.seats_limit)
BEGIN SELECT RAISE(ABORT, 'immutable_seats'); END;
--> statement-breakpoint
-- Counters move only when a row is really inserted or removed, however many clicks arrive at once.
CREATE TRIGGER follows_counted AFTER INSERT ON follows
BEGIN UPDATE profiles SET followers_count = followers_count + 1 WHERE person_id = NEW.creator_id; END;
--> statement-breakpoint
CREATE TRIGGER follows_uncounted AFTER DELETE ON follows
BEGIN UPDATE profiles SET followers_count = followers_count - 1 WHERE person_id = OLD.creator_id; END;
--> statement-breakpoint
CREATE TRIGGER post_likes_counted AFTER INSERT ON post_likes
BEGIN UPDATE posts SET likes_count = likes_count + 1 WHERE id = NEW.post_id; END;
--> statement-breakpoint
CREATE TRIGGER post_likes_uncounted AFTER DELETE ON post_likes
BEGIN UPDATE posts SET likes_count = likes_count - 1 WHERE id = OLD.post_id; END;
--> statement-breakpoint
CREATE TRIGGER comments_counted AFTER INSERT ON comments WHEN NEW.deleted_at IS NULL
BEGIN UPDATE posts SET comments_count = comments_count + 1 WHERE id = NEW.post_id; END;
--> statement-breakpoint
CREATE TRIGGER comments_recounted AFTER UPDATE OF deleted_at ON comments
BEGIN
  UPDATE posts SET comments_count = comments_count + (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL) WHERE id = NEW.post_id;
END;
--> statement-breakpoint
-- A post counts while it is published, not held and not deleted.
CREATE TRIGGER posts_counted AFTER INSERT ON posts WHEN NEW.state = 'published' AND NEW.held_at IS NULL AND NEW.deleted_at IS NULL
BEGIN
  UPDATE profiles SET posts_count = posts_count + 1 WHERE person_id = NEW.author_id;
  INSERT INTO post_totals (id, published_count) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET published_count = published_count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER posts_recounted AFTER UPDATE OF state, held_at, deleted_at ON posts
BEGIN
  UPDATE profiles SET posts_count = posts_count
      + (NEW.state = 'published' AND NEW.held_at IS NULL AND NEW.deleted_at IS NULL)
      - (OLD.state = 'published' AND OLD.held_at IS NULL AND OLD.deleted_at IS NULL)
    WHERE person_id = NEW.author_id;
  INSERT INTO post_totals (id, published_count)
    VALUES (1, (NEW.state = 'published' AND NEW.held_at IS NULL AND NEW.deleted_at IS NULL) - (OLD.state = 'published' AND OLD.held_at IS NULL AND OLD.deleted_at IS NULL))
    ON CONFLICT (id) DO UPDATE SET published_count = published_count + excluded.published_count;
END;
--> statement-breakpoint
-- A creator's subscribers are counted where their subscriptions change, so that the count is never a step behind.
CREATE TRIGGER subscriptions_count_insert AFTER INSERT ON subscriptions WHEN NEW.status NOT IN ('incomplete', 'expired')
BEGIN UPDATE profiles SET subscribers_count = subscribers_count + 1 WHERE person_id = NEW.creator_id; END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_count_up AFTER UPDATE OF status ON subscriptions
WHEN NEW.status NOT IN ('incomplete', 'expired') AND OLD.status IN ('incomplete', 'expired')
BEGIN UPDATE profiles SET subscribers_count = subscribers_count + 1 WHERE person_id = NEW.creator_id; END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_count_down AFTER UPDATE OF status ON subscriptions
WHEN NEW.status IN ('incomplete', 'expired') AND OLD.status NOT IN ('incomplete', 'expired')
BEGIN UPDATE profiles SET subscribers_count = subscribers_count - 1 WHERE person_id = NEW.creator_id; END;
