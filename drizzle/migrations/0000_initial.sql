CREATE TABLE `collection_posts` (
	`collection_id` text NOT NULL,
	`post_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`collection_id`, `post_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `collection_posts_post` ON `collection_posts` (`post_id`);--> statement-breakpoint
CREATE TABLE `collections` (
	`id` text PRIMARY KEY NOT NULL,
	`creator_id` text NOT NULL,
	`title` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `collections_creator` ON `collections` (`creator_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `comments` (
	`id` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`author_id` text NOT NULL,
	`body` text NOT NULL,
	`deleted_at` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `comments_post` ON `comments` (`post_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `documents` (
	`person_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`cpf` text NOT NULL,
	`full_name` text NOT NULL,
	`birth_date` text NOT NULL,
	`rejection_reason` text,
	`submitted_at` integer NOT NULL,
	`decided_at` integer,
	`decided_by` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `documents_status` ON `documents` (`status`,`submitted_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `documents_cpf` ON `documents` (`cpf`) WHERE status <> 'rejected';--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`creator_id` text NOT NULL,
	`title` text NOT NULL,
	`place` text NOT NULL,
	`starts_at` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `events_starts` ON `events` (`starts_at`);--> statement-breakpoint
CREATE INDEX `events_creator` ON `events` (`creator_id`,`starts_at`);--> statement-breakpoint
CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`provider_user_id` text NOT NULL,
	`email` text NOT NULL,
	`is_moderator` integer DEFAULT false NOT NULL,
	`banned_at` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `people_provider_user` ON `people` (`provider`,`provider_user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `people_email` ON `people` (`email`);--> statement-breakpoint
CREATE TABLE `ledger_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`owner_id` text,
	`normal_side` integer NOT NULL,
	`has_floor` integer NOT NULL,
	`balance_cents` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `ledger_accounts_owner` ON `ledger_accounts` (`owner_id`);--> statement-breakpoint
CREATE TABLE `ledger_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`transaction_id` text NOT NULL,
	`account_id` text NOT NULL,
	`amount_cents` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `ledger_entries_transaction` ON `ledger_entries` (`transaction_id`);--> statement-breakpoint
CREATE INDEX `ledger_entries_account` ON `ledger_entries` (`account_id`);--> statement-breakpoint
CREATE TABLE `ledger_transactions` (
	`id` text PRIMARY KEY NOT NULL,
	`source_key` text NOT NULL,
	`kind` text NOT NULL,
	`charge_id` text,
	`payout_id` text,
	`created_at` integer NOT NULL,
	`posted_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_transactions_source` ON `ledger_transactions` (`source_key`);--> statement-breakpoint
CREATE INDEX `ledger_transactions_charge` ON `ledger_transactions` (`charge_id`);--> statement-breakpoint
CREATE INDEX `ledger_transactions_payout` ON `ledger_transactions` (`payout_id`);--> statement-breakpoint
CREATE TABLE `auth_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`user_id` text NOT NULL,
	`access_token` text,
	`refresh_token` text,
	`id_token` text,
	`access_token_expires_at` integer,
	`refresh_token_expires_at` integer,
	`scope` text,
	`password` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `auth_accounts_user` ON `auth_accounts` (`user_id`);--> statement-breakpoint
CREATE TABLE `auth_attempts` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`window_started_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `auth_attempts_window` ON `auth_attempts` (`window_started_at`);--> statement-breakpoint
CREATE TABLE `auth_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token` text NOT NULL,
	`user_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`ip_address` text,
	`user_agent` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_sessions_token` ON `auth_sessions` (`token`);--> statement-breakpoint
CREATE INDEX `auth_sessions_user` ON `auth_sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `auth_users` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`email_verified` integer DEFAULT false NOT NULL,
	`image` text,
	`username` text,
	`display_username` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_users_email` ON `auth_users` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `auth_users_username` ON `auth_users` (`username`);--> statement-breakpoint
CREATE TABLE `auth_verifications` (
	`id` text PRIMARY KEY NOT NULL,
	`identifier` text NOT NULL,
	`value` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `auth_verifications_identifier` ON `auth_verifications` (`identifier`);--> statement-breakpoint
CREATE TABLE `local_mails` (
	`id` text PRIMARY KEY NOT NULL,
	`source_key` text NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `local_mails_source` ON `local_mails` (`source_key`);--> statement-breakpoint
CREATE INDEX `local_mails_created` ON `local_mails` (`created_at`);--> statement-breakpoint
CREATE TABLE `media` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`purpose` text NOT NULL,
	`content_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`alt` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `media_owner` ON `media` (`owner_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`sender_id` text NOT NULL,
	`recipient_id` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `messages_recipient` ON `messages` (`recipient_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `messages_sender` ON `messages` (`sender_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `notifications` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`kind` text NOT NULL,
	`body` text NOT NULL,
	`path` text NOT NULL,
	`source_key` text NOT NULL,
	`read_at` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_source` ON `notifications` (`source_key`);--> statement-breakpoint
CREATE INDEX `notifications_person` ON `notifications` (`person_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`payload` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`handled_at` integer,
	`quarantined_at` integer,
	`quarantine_reason` text,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `outbox_waiting` ON `outbox` (`handled_at`,`quarantined_at`,`created_at`);--> statement-breakpoint
CREATE TABLE `charge_periods` (
	`id` text PRIMARY KEY NOT NULL,
	`charge_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `charge_periods_once` ON `charge_periods` (`subscription_id`,`starts_at`);--> statement-breakpoint
CREATE INDEX `charge_periods_charge` ON `charge_periods` (`charge_id`);--> statement-breakpoint
CREATE TABLE `charges` (
	`id` text PRIMARY KEY NOT NULL,
	`payer_id` text NOT NULL,
	`creator_id` text NOT NULL,
	`purchase_kind` text NOT NULL,
	`purchase_id` text NOT NULL,
	`description` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`fee_basis_points` integer NOT NULL,
	`fee_cents` integer NOT NULL,
	`net_cents` integer NOT NULL,
	`method` text NOT NULL,
	`provider` text NOT NULL,
	`provider_charge_id` text,
	`status` text NOT NULL,
	`pix_code` text,
	`next_action_url` text,
	`failure_code` text,
	`refunded_cents` integer DEFAULT 0 NOT NULL,
	`refunded_fee_cents` integer DEFAULT 0 NOT NULL,
	`disputed_cents` integer DEFAULT 0 NOT NULL,
	`period_starts_at` integer,
	`period_ends_at` integer,
	`expires_at` integer,
	`succeeded_at` integer,
	`release_at` integer,
	`released_at` integer,
	`asked_at` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `charges_provider` ON `charges` (`provider`,`provider_charge_id`);--> statement-breakpoint
CREATE INDEX `charges_purchase` ON `charges` (`purchase_kind`,`purchase_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `charges_one_renewal` ON `charges` (`purchase_id`,`period_starts_at`) WHERE period_starts_at IS NOT NULL AND status IN ('created', 'awaiting_payment', 'requires_action', 'processing');--> statement-breakpoint
CREATE INDEX `charges_payer` ON `charges` (`payer_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `charges_creator` ON `charges` (`creator_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `charges_release` ON `charges` (`released_at`,`release_at`);--> statement-breakpoint
CREATE INDEX `charges_status` ON `charges` (`status`,`asked_at`);--> statement-breakpoint
CREATE TABLE `disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`charge_id` text NOT NULL,
	`provider_dispute_id` text NOT NULL,
	`kind` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`fee_share_cents` integer NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`settled_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `disputes_provider` ON `disputes` (`provider_dispute_id`);--> statement-breakpoint
CREATE INDEX `disputes_charge` ON `disputes` (`charge_id`);--> statement-breakpoint
CREATE TABLE `inbox` (
	`id` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`provider_event_id` text NOT NULL,
	`type` text NOT NULL,
	`object_id` text NOT NULL,
	`body` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`handled_at` integer,
	`quarantined_at` integer,
	`quarantine_reason` text,
	`received_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `inbox_event` ON `inbox` (`provider`,`provider_event_id`);--> statement-breakpoint
CREATE INDEX `inbox_waiting` ON `inbox` (`handled_at`,`quarantined_at`,`received_at`);--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`charge_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`fee_share_cents` integer NOT NULL,
	`reason` text NOT NULL,
	`status` text NOT NULL,
	`provider_refund_id` text,
	`created_at` integer NOT NULL,
	`settled_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `refunds_charge` ON `refunds` (`charge_id`);--> statement-breakpoint
CREATE INDEX `refunds_status` ON `refunds` (`status`,`created_at`);--> statement-breakpoint
CREATE TABLE `payouts` (
	`id` text PRIMARY KEY NOT NULL,
	`creator_id` text NOT NULL,
	`batch_id` text,
	`amount_cents` integer NOT NULL,
	`status` text NOT NULL,
	`pix_key_kind` text NOT NULL,
	`pix_key` text NOT NULL,
	`provider` text NOT NULL,
	`provider_transfer_id` text,
	`failure_code` text,
	`requested_at` integer NOT NULL,
	`claimed_at` integer,
	`sent_at` integer,
	`settled_at` integer,
	`asked_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payouts_one_open` ON `payouts` (`creator_id`) WHERE status IN ('requested', 'claimed', 'sent', 'held');--> statement-breakpoint
CREATE UNIQUE INDEX `payouts_transfer` ON `payouts` (`provider`,`provider_transfer_id`);--> statement-breakpoint
CREATE INDEX `payouts_status` ON `payouts` (`status`,`requested_at`);--> statement-breakpoint
CREATE INDEX `payouts_creator` ON `payouts` (`creator_id`,`requested_at`);--> statement-breakpoint
CREATE TABLE `withdrawal_methods` (
	`creator_id` text PRIMARY KEY NOT NULL,
	`pix_key_kind` text NOT NULL,
	`pix_key` text NOT NULL,
	`schedule` text NOT NULL,
	`hold_until` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `plan_prices` (
	`id` text PRIMARY KEY NOT NULL,
	`plan_id` text NOT NULL,
	`interval` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`retired_at` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `plan_prices_plan` ON `plan_prices` (`plan_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `plan_prices_current` ON `plan_prices` (`plan_id`,`interval`) WHERE retired_at IS NULL;--> statement-breakpoint
CREATE TABLE `plans` (
	`id` text PRIMARY KEY NOT NULL,
	`creator_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`benefits` text NOT NULL,
	`state` text NOT NULL,
	`seats_limit` integer,
	`seats_taken` integer DEFAULT 0 NOT NULL,
	`welcome_message` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `plans_creator` ON `plans` (`creator_id`,`state`);--> statement-breakpoint
CREATE TABLE `post_access_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`kind` text NOT NULL,
	`plan_id` text,
	`amount_cents` integer,
	`opens_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `post_access_rules_post` ON `post_access_rules` (`post_id`);--> statement-breakpoint
CREATE TABLE `post_likes` (
	`post_id` text NOT NULL,
	`person_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`post_id`, `person_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `post_likes_person` ON `post_likes` (`person_id`);--> statement-breakpoint
CREATE TABLE `post_media` (
	`post_id` text NOT NULL,
	`media_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`post_id`, `media_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `post_media_media` ON `post_media` (`media_id`);--> statement-breakpoint
CREATE TABLE `post_purchases` (
	`post_id` text NOT NULL,
	`person_id` text NOT NULL,
	`charge_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`post_id`, `person_id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `post_totals` (
	`id` integer PRIMARY KEY NOT NULL,
	`published_count` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `posts` (
	`id` text PRIMARY KEY NOT NULL,
	`author_id` text NOT NULL,
	`title` text NOT NULL,
	`teaser` text DEFAULT '' NOT NULL,
	`content` text NOT NULL,
	`state` text NOT NULL,
	`published_at` integer,
	`held_at` integer,
	`deleted_at` integer,
	`likes_count` integer DEFAULT 0 NOT NULL,
	`comments_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `posts_author` ON `posts` (`author_id`,`published_at`,`id`);--> statement-breakpoint
CREATE INDEX `posts_recent` ON `posts` (`published_at`,`id`);--> statement-breakpoint
CREATE TABLE `blocks` (
	`blocker_id` text NOT NULL,
	`blocked_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`blocker_id`, `blocked_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `blocks_blocked` ON `blocks` (`blocked_id`);--> statement-breakpoint
CREATE TABLE `follows` (
	`follower_id` text NOT NULL,
	`creator_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`follower_id`, `creator_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `follows_creator` ON `follows` (`creator_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `profiles` (
	`person_id` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`name` text NOT NULL,
	`bio` text DEFAULT '' NOT NULL,
	`city` text DEFAULT '' NOT NULL,
	`craft` text DEFAULT '' NOT NULL,
	`avatar_media_id` text,
	`banner_media_id` text,
	`is_creator` integer DEFAULT false NOT NULL,
	`followers_count` integer DEFAULT 0 NOT NULL,
	`subscribers_count` integer DEFAULT 0 NOT NULL,
	`posts_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `profiles_username` ON `profiles` (`username`);--> statement-breakpoint
CREATE INDEX `profiles_creators` ON `profiles` (`is_creator`,`followers_count`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`fan_id` text NOT NULL,
	`creator_id` text NOT NULL,
	`plan_id` text NOT NULL,
	`plan_price_id` text NOT NULL,
	`interval` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`method` text NOT NULL,
	`status` text NOT NULL,
	`started_at` integer,
	`current_period_starts_at` integer,
	`current_period_ends_at` integer,
	`access_until` integer,
	`canceled_at` integer,
	`holds_seat` integer DEFAULT false NOT NULL,
	`saved_method_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_one_live` ON `subscriptions` (`fan_id`,`creator_id`) WHERE status NOT IN ('incomplete', 'expired');--> statement-breakpoint
CREATE INDEX `subscriptions_fan` ON `subscriptions` (`fan_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_creator` ON `subscriptions` (`creator_id`,`status`);--> statement-breakpoint
CREATE INDEX `subscriptions_due` ON `subscriptions` (`status`,`current_period_ends_at`);