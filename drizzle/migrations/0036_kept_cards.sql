ALTER TABLE `charges` ADD `kept_method_id` text;
--> statement-breakpoint
-- A provider names a card only when it keeps it, and keeps it only when its person asked: a payment that names one saves it, and says it no more.
CREATE TRIGGER charges_method_kept AFTER UPDATE OF kept_method_id ON charges WHEN NEW.kept_method_id IS NOT NULL
BEGIN
  INSERT INTO saved_methods (id, person_id, created_at) VALUES (NEW.kept_method_id, NEW.payer_id, NEW.succeeded_at) ON CONFLICT (id) DO NOTHING;
  UPDATE charges SET kept_method_id = NULL WHERE id = NEW.id;
END;
