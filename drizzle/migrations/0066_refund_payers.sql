ALTER TABLE `refund_transfers` ADD `refusals` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `refund_transfers` ADD `ready_from` integer;--> statement-breakpoint
ALTER TABLE `refund_transfers` ADD `payer_digest` text;--> statement-breakpoint
CREATE INDEX `refund_transfers_payer_kept` ON `refund_transfers` (`settled_at`) WHERE payer_digest IS NOT NULL;