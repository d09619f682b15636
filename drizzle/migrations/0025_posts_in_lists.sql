DROP INDEX `posts_listed`;--> statement-breakpoint
CREATE INDEX `posts_in_lists` ON `posts` (`author_id`,`published_at`,`id`,`state`,`held_at`,`deleted_at`) WHERE state = 'published' AND held_at IS NULL AND deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `people_out` ON `people` (`id`,`banned_at`,`leaving_at`) WHERE banned_at IS NOT NULL OR leaving_at IS NOT NULL;