CREATE TABLE `document_files` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`kind` text NOT NULL,
	`content_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `document_files_person` ON `document_files` (`person_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `document_files_one_a_kind` ON `document_files` (`person_id`,`kind`) WHERE state = 'kept';--> statement-breakpoint
CREATE TABLE `document_views` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`file_id` text NOT NULL,
	`kind` text NOT NULL,
	`viewer_id` text NOT NULL,
	`viewed_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `document_views_person` ON `document_views` (`person_id`,`viewed_at`);--> statement-breakpoint
ALTER TABLE `documents` ADD `rejection_code` text;--> statement-breakpoint
ALTER TABLE `documents` ADD `files_at` integer;--> statement-breakpoint
ALTER TABLE `documents` ADD `expires_on` text;--> statement-breakpoint
ALTER TABLE `documents` ADD `reminded_at` integer;--> statement-breakpoint
CREATE INDEX `documents_expiring` ON `documents` (`expires_on`) WHERE status = 'approved' AND expires_on IS NOT NULL;
--> statement-breakpoint
-- Nobody is approved whose papers are not all there: a selfie; both sides of an RG or CNH, a passport or the digital document; a company's card.
CREATE TRIGGER documents_approved_whole BEFORE UPDATE OF status ON documents
WHEN NEW.status = 'approved' AND OLD.status <> 'approved' AND NOT (
  EXISTS (SELECT 1 FROM document_files f WHERE f.person_id = NEW.person_id AND f.state = 'kept' AND f.kind = 'selfie')
  AND (EXISTS (SELECT 1 FROM document_files f WHERE f.person_id = NEW.person_id AND f.state = 'kept' AND f.kind IN ('passport', 'id_pdf'))
    OR (SELECT COUNT(*) FROM document_files f WHERE f.person_id = NEW.person_id AND f.state = 'kept' AND f.kind IN ('id_front', 'id_back')) = 2)
  AND (NEW.cnpj IS NULL OR EXISTS (SELECT 1 FROM document_files f WHERE f.person_id = NEW.person_id AND f.state = 'kept' AND f.kind = 'company_card')))
BEGIN SELECT RAISE(ABORT, 'documents_incomplete'); END;
--> statement-breakpoint
CREATE TRIGGER document_views_no_update BEFORE UPDATE ON document_views
BEGIN SELECT RAISE(ABORT, 'immutable_log'); END;
--> statement-breakpoint
CREATE TRIGGER document_views_no_delete BEFORE DELETE ON document_views
WHEN EXISTS (SELECT 1 FROM documents d WHERE d.person_id = OLD.person_id)
BEGIN SELECT RAISE(ABORT, 'immutable_log'); END;
