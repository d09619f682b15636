ALTER TABLE `auth_pending_registrations` ADD `cart` text;--> statement-breakpoint
ALTER TABLE `auth_pending_registrations` ADD `tax_id` text;