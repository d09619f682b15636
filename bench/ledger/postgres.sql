-- The books as drizzle/migrations makes them for SQLite, with the same indexes and guards, for PostgreSQL.
CREATE TABLE ledger_accounts (id text PRIMARY KEY, kind text NOT NULL, owner_id text, normal_side int NOT NULL, has_floor int NOT NULL, balance_cents bigint NOT NULL DEFAULT 0);
CREATE INDEX ON ledger_accounts (owner_id);
CREATE TABLE ledger_transactions (id text PRIMARY KEY, source_key text NOT NULL UNIQUE, kind text NOT NULL, charge_id text, payout_id text, created_at bigint NOT NULL, posted_at bigint);
CREATE INDEX ON ledger_transactions (charge_id);
CREATE INDEX ON ledger_transactions (payout_id);
CREATE INDEX ON ledger_transactions (posted_at, id);
CREATE TABLE ledger_entries (id text PRIMARY KEY, transaction_id text NOT NULL, account_id text NOT NULL, amount_cents bigint NOT NULL, posted_at bigint);
CREATE INDEX ON ledger_entries (transaction_id);
CREATE INDEX ON ledger_entries (account_id, posted_at, id);
CREATE TABLE ledger_seals (month text PRIMARY KEY, ends_at bigint NOT NULL);
INSERT INTO ledger_seals SELECT 'month ' || i, i FROM generate_series(0, 23) i;

CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'ledger_append_only'; END $$;
CREATE TRIGGER no_update BEFORE UPDATE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER no_delete BEFORE DELETE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER no_delete BEFORE DELETE ON ledger_transactions FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER no_delete BEFORE DELETE ON ledger_accounts FOR EACH ROW EXECUTE FUNCTION refuse();

CREATE FUNCTION entries_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.amount_cents = 0 THEN RAISE 'ledger_zero_leg'; END IF;
  IF NOT EXISTS (SELECT 1 FROM ledger_transactions WHERE id = NEW.transaction_id) THEN RAISE 'ledger_no_transaction'; END IF;
  IF EXISTS (SELECT 1 FROM ledger_transactions WHERE id = NEW.transaction_id AND posted_at IS NOT NULL) THEN RAISE 'ledger_posted'; END IF;
  IF NOT EXISTS (SELECT 1 FROM ledger_accounts WHERE id = NEW.account_id) THEN RAISE 'ledger_no_account'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER entries_insert BEFORE INSERT ON ledger_entries FOR EACH ROW EXECUTE FUNCTION entries_insert();

CREATE FUNCTION transactions_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.posted_at IS NOT NULL THEN RAISE 'ledger_posted_unbalanced'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER transactions_insert BEFORE INSERT ON ledger_transactions FOR EACH ROW EXECUTE FUNCTION transactions_insert();

CREATE FUNCTION transactions_post() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF OLD.posted_at IS NOT NULL OR NEW.posted_at IS NULL OR (NEW.id, NEW.source_key, NEW.kind, NEW.created_at) <> (OLD.id, OLD.source_key, OLD.kind, OLD.created_at)
    OR NEW.charge_id IS DISTINCT FROM OLD.charge_id OR NEW.payout_id IS DISTINCT FROM OLD.payout_id THEN RAISE 'ledger_append_only'; END IF;
  IF (SELECT COUNT(*) < 2 OR SUM(amount_cents) <> 0 FROM ledger_entries WHERE transaction_id = NEW.id) THEN RAISE 'ledger_unbalanced'; END IF;
  IF EXISTS (SELECT 1 FROM ledger_entries WHERE transaction_id = NEW.id AND posted_at IS DISTINCT FROM NEW.posted_at) THEN RAISE 'ledger_other_time'; END IF;
  IF EXISTS (SELECT 1 FROM ledger_seals WHERE ends_at > NEW.posted_at) THEN RAISE 'ledger_sealed'; END IF;
  UPDATE ledger_accounts a SET balance_cents = balance_cents + e.cents
    FROM (SELECT account_id, SUM(amount_cents) AS cents FROM ledger_entries WHERE transaction_id = NEW.id GROUP BY account_id) e WHERE a.id = e.account_id;
  RETURN NEW;
END $$;
CREATE TRIGGER transactions_post BEFORE UPDATE ON ledger_transactions FOR EACH ROW EXECUTE FUNCTION transactions_post();

CREATE FUNCTION accounts_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.balance_cents <> 0 THEN RAISE 'ledger_balance_by_hand'; END IF;
    IF NEW.normal_side NOT IN (1, -1) THEN RAISE 'ledger_side'; END IF;
    RETURN NEW;
  END IF;
  IF (NEW.id, NEW.kind, NEW.normal_side, NEW.has_floor) <> (OLD.id, OLD.kind, OLD.normal_side, OLD.has_floor) THEN RAISE 'ledger_append_only'; END IF;
  IF NEW.has_floor = 1 AND NEW.balance_cents * NEW.normal_side < 0 THEN RAISE 'ledger_floor'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER accounts_guard BEFORE INSERT OR UPDATE ON ledger_accounts FOR EACH ROW EXECUTE FUNCTION accounts_guard();
