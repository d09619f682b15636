-- The sandbox provider's own storage. It shares nothing with the product's database.
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE card_tokens (
  id TEXT PRIMARY KEY,
  behaviour TEXT NOT NULL,
  brand TEXT NOT NULL,
  last4 TEXT NOT NULL,
  used_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE saved_methods (
  id TEXT PRIMARY KEY,
  behaviour TEXT NOT NULL,
  brand TEXT NOT NULL,
  last4 TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE charges (
  id TEXT PRIMARY KEY,
  reference TEXT NOT NULL UNIQUE,
  method TEXT NOT NULL CONSTRAINT charge_method CHECK (method IN ('pix', 'card')),
  status TEXT NOT NULL,
  amount_cents INTEGER NOT NULL CONSTRAINT charge_amount CHECK (amount_cents > 0),
  refunded_cents INTEGER NOT NULL DEFAULT 0 CONSTRAINT refund_limit CHECK (refunded_cents BETWEEN 0 AND amount_cents),
  description TEXT NOT NULL,
  payer_name TEXT NOT NULL,
  txid TEXT,
  pix_code TEXT,
  return_url TEXT,
  card_behaviour TEXT,
  card_brand TEXT,
  card_last4 TEXT,
  save_card INTEGER NOT NULL DEFAULT 0,
  saved_method_id TEXT,
  failure_code TEXT,
  expires_at INTEGER,
  settles_at INTEGER,
  succeeded_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX charges_created ON charges (created_at, id);
--> statement-breakpoint
CREATE INDEX charges_expiring ON charges (status, expires_at);
--> statement-breakpoint
CREATE TABLE refunds (
  id TEXT PRIMARY KEY,
  reference TEXT NOT NULL UNIQUE,
  charge_id TEXT NOT NULL,
  status TEXT NOT NULL,
  amount_cents INTEGER NOT NULL CONSTRAINT refund_amount CHECK (amount_cents > 0),
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX refunds_charge ON refunds (charge_id);
--> statement-breakpoint
CREATE TABLE transfers (
  id TEXT PRIMARY KEY,
  reference TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  amount_cents INTEGER NOT NULL CONSTRAINT transfer_amount CHECK (amount_cents > 0),
  pix_key_kind TEXT NOT NULL,
  pix_key TEXT NOT NULL,
  -- What the receiving bank will say, known to the sandbox from the key: paid, failed or returned.
  outcome TEXT NOT NULL,
  failure_code TEXT,
  settles_at INTEGER NOT NULL,
  returns_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX transfers_created ON transfers (created_at, id);
--> statement-breakpoint
CREATE INDEX transfers_settling ON transfers (status, settles_at);
--> statement-breakpoint
CREATE TABLE disputes (
  id TEXT PRIMARY KEY,
  charge_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  amount_cents INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX disputes_one_open ON disputes (charge_id) WHERE status = 'open';
--> statement-breakpoint
-- The first answer of every key, kept for ever, written in the batch of its effect.
CREATE TABLE idempotency_keys (
  id TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  answer TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE events (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  object TEXT NOT NULL,
  object_id TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX events_object ON events (object_id, created_at);
--> statement-breakpoint
-- Real time, not the test clock: signatures age in real time.
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  last_answer TEXT,
  delivered_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX deliveries_due ON deliveries (state, next_attempt_at);
