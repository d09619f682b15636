DROP INDEX `subscriptions_calendar`;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `enqueued_until` integer;--> statement-breakpoint
CREATE INDEX `subscriptions_to_enqueue` ON `subscriptions` (CASE WHEN enqueued_until > calendar_at THEN enqueued_until ELSE calendar_at END,`id`) WHERE calendar_at IS NOT NULL;