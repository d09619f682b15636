CREATE TABLE `auth_challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text,
	`email` text NOT NULL,
	`code_hash` text NOT NULL,
	`link_hash` text NOT NULL,
	`client_hash` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`sent_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_challenges_one_live` ON `auth_challenges` (`purpose`,`subject`);--> statement-breakpoint
CREATE UNIQUE INDEX `auth_challenges_link` ON `auth_challenges` (`link_hash`);--> statement-breakpoint
CREATE INDEX `auth_challenges_client` ON `auth_challenges` (`client_hash`,`purpose`);--> statement-breakpoint
CREATE INDEX `auth_challenges_expiry` ON `auth_challenges` (`expires_at`);