ALTER TABLE `charges` ADD `confirm_asked_at` integer;--> statement-breakpoint
-- Who is asked now was asked at the latest when the bank last said so.
UPDATE charges SET confirm_asked_at = asked_at WHERE status = 'requires_action';
