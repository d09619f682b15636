CREATE TABLE `registry_answers` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`tax_kind` text NOT NULL,
	`tax_id` text NOT NULL,
	`situation` text NOT NULL,
	`name` text,
	`source` text NOT NULL,
	`asked_by` text,
	`answered_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `registry_answers_person` ON `registry_answers` (`person_id`,`tax_id`,`answered_at`);
--> statement-breakpoint
CREATE TRIGGER registry_answers_insert BEFORE INSERT ON registry_answers
WHEN EXISTS (SELECT 1 FROM registry_answers a WHERE a.id = NEW.id) OR NEW.situation NOT IN ('regular', 'suspended', 'canceled', 'dead', 'not_found') OR NEW.tax_kind NOT IN ('cpf', 'cnpj')
BEGIN SELECT RAISE(ABORT, 'immutable_log'); END;
--> statement-breakpoint
CREATE TRIGGER registry_answers_no_update BEFORE UPDATE ON registry_answers
BEGIN SELECT RAISE(ABORT, 'immutable_log'); END;
--> statement-breakpoint
CREATE TRIGGER registry_answers_no_delete BEFORE DELETE ON registry_answers
WHEN EXISTS (SELECT 1 FROM documents d WHERE d.person_id = OLD.person_id)
BEGIN SELECT RAISE(ABORT, 'immutable_log'); END;
--> statement-breakpoint
-- Nobody is approved unless the last answer about each of their numbers, since they sent them, is that it is regular.
CREATE TRIGGER documents_approved_regular BEFORE UPDATE OF status ON documents
WHEN NEW.status = 'approved' AND OLD.status <> 'approved' AND (
  (SELECT a.situation FROM registry_answers a WHERE a.person_id = NEW.person_id AND a.tax_id = NEW.cpf AND a.answered_at >= NEW.submitted_at ORDER BY a.answered_at DESC, a.rowid DESC LIMIT 1) IS NOT 'regular'
  OR (NEW.cnpj IS NOT NULL AND (SELECT a.situation FROM registry_answers a WHERE a.person_id = NEW.person_id AND a.tax_id = NEW.cnpj AND a.answered_at >= NEW.submitted_at ORDER BY a.answered_at DESC, a.rowid DESC LIMIT 1) IS NOT 'regular'))
BEGIN SELECT RAISE(ABORT, 'documents_not_regular'); END;
