CREATE INDEX `documents_renewed` ON `documents` (`files_at`) WHERE files_at > decided_at;
--> statement-breakpoint
DROP TRIGGER fee_overrides_insert;
--> statement-breakpoint
-- A share of the platform, and set by another: neither by whose page it is nor by whoever works in its team.
CREATE TRIGGER fee_overrides_insert BEFORE INSERT ON fee_overrides
BEGIN
  SELECT RAISE(ABORT, 'immutable_fee') WHERE NEW.basis_points < 0 OR NEW.basis_points > 10000;
  SELECT RAISE(ABORT, 'own_fee') WHERE NEW.set_by = NEW.creator_id OR EXISTS (
    SELECT 1 FROM organizations o JOIN organization_members m ON m.organization_id = o.id
    WHERE o.owner_id = NEW.creator_id AND o.deleted_at IS NULL AND m.person_id = NEW.set_by AND m.removed_at IS NULL);
END;
