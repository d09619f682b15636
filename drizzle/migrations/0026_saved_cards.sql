ALTER TABLE `saved_methods` ADD `brand` text;--> statement-breakpoint
ALTER TABLE `saved_methods` ADD `last4` text;--> statement-breakpoint
ALTER TABLE `saved_methods` ADD `described_at` integer;--> statement-breakpoint
CREATE INDEX `saved_methods_to_describe` ON `saved_methods` (`created_at`) WHERE described_at IS NULL AND removed_at IS NULL;--> statement-breakpoint
CREATE INDEX `saved_methods_to_forget` ON `saved_methods` (`removed_at`) WHERE removed_at IS NOT NULL;