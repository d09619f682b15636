CREATE TABLE `auth_backup_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`used_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `auth_backup_codes_user` ON `auth_backup_codes` (`user_id`);--> statement-breakpoint
CREATE TABLE `auth_second_factors` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`last_step` integer DEFAULT 0 NOT NULL
) STRICT;
