DROP INDEX `documents_tax_id`;--> statement-breakpoint
CREATE INDEX `documents_contested` ON `documents` (`tax_id`) WHERE status = 'contested';--> statement-breakpoint
CREATE UNIQUE INDEX `documents_tax_id` ON `documents` (`tax_id`) WHERE status IN ('submitted', 'approved') AND archived_at IS NULL;
--> statement-breakpoint
-- Nobody who contests a number sells or is paid under it before a moderator decided: they are none of those that `documents_tax_id` holds, and there are no other states.
CREATE TRIGGER documents_state BEFORE UPDATE OF status ON documents
WHEN NEW.status NOT IN ('submitted', 'contested', 'approved', 'rejected')
BEGIN SELECT RAISE(ABORT, 'unknown_state'); END;
