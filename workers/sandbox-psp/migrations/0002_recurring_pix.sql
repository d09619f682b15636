-- Pix Automático: an authorisation of the payer's bank, and each order to debit a charge from it.
CREATE TABLE recurring_pix (
  id TEXT PRIMARY KEY,
  reference TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  interval TEXT NOT NULL,
  amount_cents INTEGER CONSTRAINT recurring_amount CHECK (amount_cents > 0),
  least_cents INTEGER NOT NULL,
  starts_on TEXT NOT NULL,
  ends_on TEXT,
  description TEXT NOT NULL,
  payer_name TEXT NOT NULL,
  pix_code TEXT NOT NULL,
  first_charge_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX recurring_pix_created ON recurring_pix (created_at, id);
--> statement-breakpoint
CREATE INDEX recurring_pix_expiring ON recurring_pix (status, expires_at);
--> statement-breakpoint
CREATE TABLE instructions (
  id TEXT PRIMARY KEY,
  charge_id TEXT NOT NULL,
  recurring_pix_id TEXT NOT NULL,
  status TEXT NOT NULL,
  due_on TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  failure_code TEXT,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX instructions_attempt ON instructions (charge_id, attempt);
--> statement-breakpoint
CREATE INDEX instructions_due ON instructions (status, due_at);
--> statement-breakpoint
CREATE INDEX instructions_recurring ON instructions (recurring_pix_id, status);
--> statement-breakpoint
ALTER TABLE charges ADD COLUMN recurring_pix_id TEXT;
--> statement-breakpoint
ALTER TABLE saved_methods ADD COLUMN status TEXT NOT NULL DEFAULT 'ready';
--> statement-breakpoint
ALTER TABLE saved_methods ADD COLUMN return_url TEXT;
--> statement-breakpoint
ALTER TABLE saved_methods ADD COLUMN failure_code TEXT;
--> statement-breakpoint
CREATE INDEX refunds_created ON refunds (created_at, id);
--> statement-breakpoint
CREATE INDEX disputes_created ON disputes (created_at, id);
