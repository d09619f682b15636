CREATE INDEX `saved_methods_forgotten` ON `saved_methods` (`forgotten_at`) WHERE removed_at IS NOT NULL AND forgotten_at IS NOT NULL;--> statement-breakpoint
-- Who says their CPF or CNPJ has the codes that waited for it made.
CREATE TRIGGER billing_details_calendar AFTER INSERT ON billing_details
BEGIN
  UPDATE subscriptions SET calendar_at = NEW.updated_at WHERE fan_id = NEW.person_id AND method = 'pix' AND status IN ('trialing', 'active', 'requires_action', 'past_due') AND calendar_at > NEW.updated_at;
END;
