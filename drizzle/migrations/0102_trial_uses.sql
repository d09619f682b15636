CREATE TABLE `trial_uses` (
	`creator_id` text NOT NULL,
	`tax_id` text NOT NULL,
	`person_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	PRIMARY KEY(`creator_id`, `tax_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `trial_uses_person` ON `trial_uses` (`person_id`);--> statement-breakpoint
-- What was used stays as it was, until one of the two accounts is erased.
CREATE TRIGGER trial_uses_update BEFORE UPDATE ON trial_uses
BEGIN SELECT RAISE(ABORT, 'immutable_trial_used'); END;
--> statement-breakpoint
-- Trials from before, of who told their number since.
INSERT OR IGNORE INTO trial_uses (creator_id, tax_id, person_id, subscription_id)
SELECT s.creator_id, b.tax_id, s.fan_id, s.id FROM subscriptions s JOIN billing_details b ON b.person_id = s.fan_id WHERE s.trial_ends_at IS NOT NULL ORDER BY s.created_at;
--> statement-breakpoint
CREATE INDEX `refunds_regretted` ON `refunds` (`created_at`) WHERE reason = 'Arrependimento em até 7 dias.';
