CREATE TABLE `auth_outside_attempts` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`provider_id` text NOT NULL,
	`purpose` text NOT NULL,
	`user_id` text,
	`client_hash` text NOT NULL,
	`return_path` text NOT NULL,
	`account_id` text,
	`label` text,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `auth_outside_attempts_client` ON `auth_outside_attempts` (`client_hash`,`purpose`);--> statement-breakpoint
CREATE INDEX `auth_outside_attempts_expiry` ON `auth_outside_attempts` (`expires_at`);--> statement-breakpoint
CREATE TABLE `mutes` (
	`muter_id` text NOT NULL,
	`muted_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`muter_id`, `muted_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `mutes_latest` ON `mutes` (`muter_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `auth_accounts` ADD `label` text;--> statement-breakpoint
CREATE UNIQUE INDEX `auth_accounts_outside` ON `auth_accounts` (`provider_id`,`account_id`);