ALTER TABLE `documents` ADD `number_until` INTEGER;--> statement-breakpoint
CREATE INDEX `documents_number_kept` ON `documents` (`tax_id`) WHERE number_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX `documents_archived` ON `documents` (`archived_at`) WHERE archived_at IS NOT NULL;--> statement-breakpoint
-- What was told and seen of documents that are gone goes with them from now on; once for those that went before.
DELETE FROM registry_answers WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.person_id = registry_answers.person_id);
--> statement-breakpoint
DELETE FROM document_views WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.person_id = document_views.person_id);
