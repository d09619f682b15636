CREATE TABLE `subscription_cancellations` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`protocol` text NOT NULL,
	`reason` text,
	`created_at` integer NOT NULL,
	`undone_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_cancellations_protocol` ON `subscription_cancellations` (`protocol`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_cancellations_standing` ON `subscription_cancellations` (`subscription_id`) WHERE undone_at IS NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `anchor_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `paused_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `resumes_at` integer;--> statement-breakpoint
CREATE INDEX `subscriptions_resuming` ON `subscriptions` (`resumes_at`) WHERE resumes_at IS NOT NULL;--> statement-breakpoint
-- What is paused is known to go on, and when.
CREATE TRIGGER subscriptions_paused BEFORE UPDATE OF status, resumes_at ON subscriptions WHEN NEW.status = 'paused' AND (NEW.resumes_at IS NULL OR NEW.paused_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'unknown_state');
END;
