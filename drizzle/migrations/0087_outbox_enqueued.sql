DROP INDEX `outbox_waiting`;--> statement-breakpoint
ALTER TABLE `outbox` ADD `enqueued_until` integer;--> statement-breakpoint
CREATE INDEX `outbox_waiting` ON `outbox` (CASE WHEN enqueued_until > created_at THEN enqueued_until ELSE created_at END,`id`) WHERE handled_at IS NULL AND quarantined_at IS NULL;