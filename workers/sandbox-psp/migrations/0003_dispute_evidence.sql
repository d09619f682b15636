-- Until when a dispute takes an answer, when it got one and what it said; of a file the provider remembers what it was, never its bytes.
ALTER TABLE disputes ADD respond_by INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE disputes ADD answered_at INTEGER;
--> statement-breakpoint
ALTER TABLE disputes ADD evidence TEXT;
--> statement-breakpoint
CREATE TABLE files (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
