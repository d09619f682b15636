CREATE TABLE `auth_emails` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`is_primary` integer DEFAULT false NOT NULL,
	`verified_at` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_emails_own` ON `auth_emails` (`user_id`,`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `auth_emails_opens` ON `auth_emails` (`email`) WHERE verified_at IS NOT NULL OR is_primary = 1;--> statement-breakpoint
CREATE UNIQUE INDEX `auth_emails_primary` ON `auth_emails` (`user_id`) WHERE is_primary = 1;--> statement-breakpoint
CREATE TABLE `auth_phones` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`phone` text NOT NULL,
	`is_primary` integer DEFAULT false NOT NULL,
	`verified_at` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_phones_own` ON `auth_phones` (`user_id`,`phone`);--> statement-breakpoint
CREATE UNIQUE INDEX `auth_phones_opens` ON `auth_phones` (`phone`) WHERE verified_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `auth_phones_primary` ON `auth_phones` (`user_id`) WHERE is_primary = 1;--> statement-breakpoint
INSERT INTO `auth_emails` (`id`, `user_id`, `email`, `is_primary`, `verified_at`, `created_at`)
	SELECT `id`, `id`, `email`, 1, CASE WHEN `email_verified` THEN `updated_at` END, `created_at` FROM `auth_users`;
