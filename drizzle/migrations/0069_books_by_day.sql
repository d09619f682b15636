ALTER TABLE `ledger_checks` ADD `whole_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `ledger_checks` ADD `seen_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `charges_pending` ON `charges` (`creator_id`,`pending_cents`) WHERE pending_cents <> 0;