ALTER TABLE `inbox` ADD `about_charge_id` text;--> statement-breakpoint
ALTER TABLE `inbox` ADD `about_payout_id` text;--> statement-breakpoint
ALTER TABLE `inbox` ADD `answer` text;--> statement-breakpoint
ALTER TABLE `inbox` ADD `answered_at` integer;--> statement-breakpoint
ALTER TABLE `inbox` ADD `answered_by` text;--> statement-breakpoint
ALTER TABLE `inbox` ADD `answer_note` text;--> statement-breakpoint
CREATE INDEX `inbox_aside` ON `inbox` (`quarantined_at`,`id`) WHERE quarantined_at IS NOT NULL AND handled_at IS NULL AND quarantine_reason <> 'unknown_type' AND answer IS NOT 'closed';--> statement-breakpoint
CREATE INDEX `inbox_answered` ON `inbox` (`answered_at`,`id`) WHERE answer IS NOT NULL;
--> statement-breakpoint
-- Nothing arrives answered.
CREATE TRIGGER inbox_insert BEFORE INSERT ON inbox
WHEN NEW.answer IS NOT NULL OR NEW.answered_at IS NOT NULL OR NEW.answered_by IS NOT NULL OR NEW.answer_note IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'immutable_answer'); END;
--> statement-breakpoint
-- Whoever answers for what was set aside does it as it stands there, whole, with a name and, where nothing more is to come of it, a note; and that is not taken back.
CREATE TRIGGER inbox_answer BEFORE UPDATE OF handled_at, quarantined_at, quarantine_reason, answer, answered_at, answered_by, answer_note ON inbox
BEGIN
  SELECT RAISE(ABORT, 'immutable_answer') WHERE OLD.answer = 'closed'
    OR NEW.answer NOT IN ('retried', 'closed') OR (NEW.answer IS NULL AND OLD.answer IS NOT NULL)
    OR (NEW.answer IS NULL) <> (NEW.answered_at IS NULL) OR (NEW.answer IS NULL) <> (NEW.answered_by IS NULL) OR (NEW.answer IS 'closed') <> (NEW.answer_note IS NOT NULL)
    OR LENGTH(NEW.answer_note) NOT BETWEEN 1 AND 500;
  SELECT RAISE(ABORT, 'immutable_answer') WHERE NEW.answered_at IS NOT OLD.answered_at AND (OLD.quarantined_at IS NULL OR OLD.handled_at IS NOT NULL OR (NEW.answer = 'closed') <> (NEW.quarantined_at IS NOT NULL));
END;
