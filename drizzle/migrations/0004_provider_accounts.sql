CREATE TABLE `provider_accounts` (
	`provider` text NOT NULL,
	`provider_user_id` text NOT NULL,
	`updated_at` integer NOT NULL,
	`banned_at` integer,
	`deleted_at` integer,
	PRIMARY KEY(`provider`, `provider_user_id`)
) STRICT;
