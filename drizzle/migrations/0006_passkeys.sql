CREATE TABLE `auth_passkey_challenges` (
	`challenge` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `auth_passkey_challenges_expiry` ON `auth_passkey_challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `auth_passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `auth_passkeys_user` ON `auth_passkeys` (`user_id`);