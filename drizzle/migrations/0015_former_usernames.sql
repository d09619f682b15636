CREATE TABLE `former_usernames` (
	`username` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`left_at` integer NOT NULL,
	`held_until` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `former_usernames_person` ON `former_usernames` (`person_id`,`held_until`);--> statement-breakpoint
ALTER TABLE `auth_users` ADD `first_name` text;--> statement-breakpoint
ALTER TABLE `auth_users` ADD `last_name` text;--> statement-breakpoint
-- A username that somebody left is taken: the index's own words, so that everyone who meets them says "taken".
CREATE TRIGGER profiles_username_held_insert BEFORE INSERT ON profiles
WHEN EXISTS (SELECT 1 FROM former_usernames WHERE username = NEW.username AND person_id <> NEW.person_id)
BEGIN SELECT RAISE(ABORT, 'UNIQUE constraint failed: profiles.username'); END;
--> statement-breakpoint
CREATE TRIGGER profiles_username_held_update BEFORE UPDATE OF username ON profiles
WHEN EXISTS (SELECT 1 FROM former_usernames WHERE username = NEW.username AND person_id <> NEW.person_id)
BEGIN SELECT RAISE(ABORT, 'UNIQUE constraint failed: profiles.username'); END;
