DROP INDEX `profiles_creators`;--> statement-breakpoint
CREATE INDEX `profiles_creators` ON `profiles` (`is_creator`,`followers_count`,`person_id`);--> statement-breakpoint
CREATE INDEX `notifications_unread` ON `notifications` (`person_id`) WHERE read_at IS NULL;