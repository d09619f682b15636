DROP INDEX `documents_cpf`;--> statement-breakpoint
ALTER TABLE `documents` ADD `cnpj` text;--> statement-breakpoint
ALTER TABLE `documents` ADD `company_name` text;--> statement-breakpoint
ALTER TABLE `documents` ADD `seller_name` text GENERATED ALWAYS AS (COALESCE(company_name, full_name)) VIRTUAL;--> statement-breakpoint
ALTER TABLE `documents` ADD `tax_kind` text GENERATED ALWAYS AS (CASE WHEN cnpj IS NULL THEN 'cpf' ELSE 'cnpj' END) VIRTUAL;--> statement-breakpoint
ALTER TABLE `documents` ADD `tax_id` text GENERATED ALWAYS AS (COALESCE(cnpj, cpf)) VIRTUAL;--> statement-breakpoint
CREATE UNIQUE INDEX `documents_tax_id` ON `documents` (`tax_id`) WHERE status <> 'rejected' AND archived_at IS NULL;--> statement-breakpoint
CREATE INDEX `documents_cpf` ON `documents` (`cpf`);
--> statement-breakpoint
-- A company has its number and its name, a person neither.
CREATE TRIGGER documents_company_insert BEFORE INSERT ON documents
WHEN (NEW.cnpj IS NULL) <> (NEW.company_name IS NULL) OR (NEW.cnpj IS NOT NULL AND (length(NEW.cnpj) <> 14 OR NEW.cnpj GLOB '*[^0-9A-Z]*'))
BEGIN SELECT RAISE(ABORT, 'half_a_company'); END;
--> statement-breakpoint
CREATE TRIGGER documents_company_update BEFORE UPDATE OF cnpj, company_name ON documents
WHEN (NEW.cnpj IS NULL) <> (NEW.company_name IS NULL) OR (NEW.cnpj IS NOT NULL AND (length(NEW.cnpj) <> 14 OR NEW.cnpj GLOB '*[^0-9A-Z]*'))
BEGIN SELECT RAISE(ABORT, 'half_a_company'); END;
