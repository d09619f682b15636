ALTER TABLE `withdrawal_methods` ADD `ask_owner_at` integer;--> statement-breakpoint
CREATE INDEX `withdrawal_methods_ask_owner` ON `withdrawal_methods` (`ask_owner_at`,`creator_id`) WHERE ask_owner_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payouts_waiting_for_owner` ON `payouts` (`status`,`waits_until`,`id`) WHERE waits_for = 'key_owner';
--> statement-breakpoint
-- Whoever was told of already has nothing to ask, which the first look at each finds.
UPDATE withdrawal_methods SET ask_owner_at = updated_at WHERE pix_key_kind IN ('email', 'phone', 'evp');
