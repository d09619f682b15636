ALTER TABLE `disputes` ADD `provider` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `saved_method_attempts` ADD `provider` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `saved_methods` ADD `provider` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `trial_setups` ADD `provider` text DEFAULT '' NOT NULL;
--> statement-breakpoint
-- A dispute is of who took the charge, a card of who was last paid with one by its person; until now there was one provider at a time.
UPDATE disputes SET provider = COALESCE((SELECT c.provider FROM charges c WHERE c.id = disputes.charge_id), '');
--> statement-breakpoint
UPDATE saved_methods SET provider = COALESCE((SELECT c.provider FROM charges c WHERE c.payer_id = saved_methods.person_id AND c.method = 'card' ORDER BY c.created_at DESC LIMIT 1), '');
--> statement-breakpoint
UPDATE trial_setups SET provider = COALESCE((SELECT c.provider FROM charges c ORDER BY c.rowid DESC LIMIT 1), '');
--> statement-breakpoint
UPDATE saved_method_attempts SET provider = COALESCE((SELECT c.provider FROM charges c ORDER BY c.rowid DESC LIMIT 1), '');
--> statement-breakpoint
-- Two providers may give two disputes the same name.
DROP INDEX `disputes_provider`;--> statement-breakpoint
CREATE UNIQUE INDEX `disputes_provider_id` ON `disputes` (`provider`,`provider_dispute_id`);
--> statement-breakpoint
-- Whoever writes a dispute without saying whose it is, as a worker does that is older than this: it is of who took its charge.
CREATE TRIGGER disputes_provider_named AFTER INSERT ON disputes WHEN NEW.provider = ''
BEGIN UPDATE disputes SET provider = COALESCE((SELECT c.provider FROM charges c WHERE c.id = NEW.charge_id), '') WHERE id = NEW.id; END;
--> statement-breakpoint
-- A card is of who kept it with a payment, or for a trial. Its name alone is the key: a card of the same name at another provider is not kept, and never taken for this one.
DROP TRIGGER charges_method_kept;
--> statement-breakpoint
-- A provider names a card only when it keeps it, and keeps it only when its person asked: a payment that names one saves it, and says it no more.
-- One that its person removed after they asked stays removed, and is forgotten at the provider once more.
CREATE TRIGGER charges_method_kept AFTER UPDATE OF kept_method_id ON charges WHEN NEW.kept_method_id IS NOT NULL
BEGIN
  INSERT INTO saved_methods (id, person_id, provider, created_at) VALUES (NEW.kept_method_id, NEW.payer_id, NEW.provider, NEW.succeeded_at)
    ON CONFLICT (id) DO UPDATE SET removed_at = CASE WHEN NEW.created_at > saved_methods.removed_at THEN NULL ELSE saved_methods.removed_at END, forgotten_at = NULL
    WHERE saved_methods.removed_at IS NOT NULL AND saved_methods.provider IN (NEW.provider, '');
  UPDATE charges SET kept_method_id = NULL WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER trial_setups_method_kept AFTER UPDATE OF status ON trial_setups WHEN NEW.status = 'ready' AND OLD.status <> 'ready' AND NEW.provider_method_id IS NOT NULL
BEGIN INSERT INTO saved_methods (id, person_id, provider, created_at) VALUES (NEW.provider_method_id, NEW.person_id, NEW.provider, NEW.asked_at) ON CONFLICT (id) DO NOTHING; END;
