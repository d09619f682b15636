CREATE TABLE `provider_turns` (
	`subject` text PRIMARY KEY NOT NULL,
	`held_until` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `provider_turns_old` ON `provider_turns` (`held_until`);