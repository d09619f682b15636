CREATE TABLE `notification_choices` (
	`person_id` text NOT NULL,
	`kind` text NOT NULL,
	`channel` text NOT NULL,
	`is_on` integer NOT NULL,
	PRIMARY KEY(`person_id`, `kind`, `channel`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `notification_digests` (
	`person_id` text PRIMARY KEY NOT NULL,
	`rhythm` text NOT NULL,
	`due_at` integer NOT NULL,
	`sent_until` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `notification_digests_due` ON `notification_digests` (`due_at`);--> statement-breakpoint
DROP INDEX `notifications_unread`;--> statement-breakpoint
ALTER TABLE `notifications` ADD `section` text DEFAULT 'account' NOT NULL;--> statement-breakpoint
ALTER TABLE `notifications` ADD `group_key` text;--> statement-breakpoint
ALTER TABLE `notifications` ADD `group_count` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `notifications` ADD `group_since` integer;--> statement-breakpoint
ALTER TABLE `notifications` ADD `group_actor_id` text;--> statement-breakpoint
ALTER TABLE `notifications` ADD `group_actor_name` text;--> statement-breakpoint
UPDATE `notifications` SET `section` = CASE
	WHEN kind IN ('post.published', 'post.opened') THEN 'posts'
	WHEN kind IN ('post.commented', 'comment.replied', 'comment.mentioned', 'conversation.unread') THEN 'people'
	WHEN kind LIKE 'subscription.%' OR (kind LIKE 'payout%' AND kind NOT IN ('payout.requested', 'payout.approval_asked')) OR kind LIKE 'charge.%' OR kind LIKE 'refund.%' OR kind LIKE 'gift.%' OR kind LIKE 'trial.%' OR kind LIKE 'comp.%' OR kind LIKE 'vacation.%' OR kind LIKE 'dispute.%' OR kind IN ('debt.paid', 'fee.changed', 'purchase.bought', 'tip.given') THEN 'money'
	ELSE 'account' END;--> statement-breakpoint
CREATE INDEX `notifications_section` ON `notifications` (`person_id`,`section`,`created_at`);--> statement-breakpoint
CREATE INDEX `notifications_open_group` ON `notifications` (`person_id`,`group_key`) WHERE read_at IS NULL AND group_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `notifications_group_actor` ON `notifications` (`group_actor_id`) WHERE group_actor_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `notifications_unread` ON `notifications` (`person_id`,`created_at`) WHERE read_at IS NULL;--> statement-breakpoint
ALTER TABLE `local_mails` ADD `html` text;--> statement-breakpoint
ALTER TABLE `local_mails` ADD `unsubscribe_url` text;