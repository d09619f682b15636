DROP INDEX `payouts_batch`;--> statement-breakpoint
CREATE INDEX `payouts_batch_state` ON `payouts` (`batch_id`,`status`,`id`) WHERE batch_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `ledger_accounts_balance` ON `ledger_accounts` (`kind`,`balance_cents`,`id`) WHERE balance_cents <> 0;