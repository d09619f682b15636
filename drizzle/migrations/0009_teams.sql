CREATE TABLE `membership_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`person_id` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`decided_at` integer,
	`decided_by` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `membership_requests_one_live` ON `membership_requests` (`organization_id`,`person_id`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `membership_requests_person` ON `membership_requests` (`person_id`,`organization_id`);--> statement-breakpoint
CREATE TABLE `organization_invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`status` text NOT NULL,
	`invited_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`decided_at` integer,
	`accepted_by` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `organization_invitations_one_live` ON `organization_invitations` (`organization_id`,`email`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `organization_invitations_team` ON `organization_invitations` (`organization_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `organization_invitations_email` ON `organization_invitations` (`email`,`status`);--> statement-breakpoint
CREATE TABLE `organization_members` (
	`organization_id` text NOT NULL,
	`person_id` text NOT NULL,
	`role` text NOT NULL,
	`may_manage_billing` integer DEFAULT false NOT NULL,
	`joined_at` integer NOT NULL,
	`removed_at` integer,
	`told_at` integer,
	PRIMARY KEY(`organization_id`, `person_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `organization_members_person` ON `organization_members` (`person_id`,`removed_at`);--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`domain` text,
	`enrolment` text DEFAULT 'manual_invitation' NOT NULL,
	`logo_media_id` text,
	`provider` text,
	`provider_organization_id` text,
	`told_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_one_a_space` ON `organizations` (`owner_id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_slug` ON `organizations` (`slug`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_domain` ON `organizations` (`domain`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_provider` ON `organizations` (`provider`,`provider_organization_id`);--> statement-breakpoint
ALTER TABLE `payouts` ADD `acted_by` text;--> statement-breakpoint
ALTER TABLE `plans` ADD `acted_by` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `acted_by` text;
--> statement-breakpoint
-- What the database refuses of a team, whoever asks. The quotas are those of app/domain/teams/rules.ts; a test holds them equal.
CREATE TRIGGER organizations_insert BEFORE INSERT ON organizations
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.enrolment NOT IN ('automatic_invitation', 'automatic_suggestion', 'manual_invitation');
  SELECT RAISE(ABORT, 'team_domain_missing') WHERE NEW.domain IS NULL AND NEW.enrolment <> 'manual_invitation';
END;
--> statement-breakpoint
CREATE TRIGGER organizations_update BEFORE UPDATE ON organizations
BEGIN
  SELECT RAISE(ABORT, 'immutable_team_owner') WHERE NEW.owner_id <> OLD.owner_id OR NEW.id <> OLD.id;
  SELECT RAISE(ABORT, 'immutable_deleted_team') WHERE OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL;
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.enrolment NOT IN ('automatic_invitation', 'automatic_suggestion', 'manual_invitation');
  SELECT RAISE(ABORT, 'team_domain_missing') WHERE NEW.domain IS NULL AND NEW.enrolment <> 'manual_invitation';
END;
--> statement-breakpoint
-- Whoever becomes a member: the team lives, it has room, and the person is not in too many. An upsert comes through here too, so that the row itself is not counted.
CREATE TRIGGER organization_members_insert BEFORE INSERT ON organization_members
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.role NOT IN ('admin', 'basic_member', 'guest_member');
  SELECT RAISE(ABORT, 'team_billing_without_admin') WHERE NEW.may_manage_billing <> 0 AND NEW.role <> 'admin';
  SELECT RAISE(ABORT, 'team_gone') WHERE NEW.removed_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM organizations WHERE id = NEW.organization_id AND deleted_at IS NULL);
  SELECT RAISE(ABORT, 'team_full') WHERE NEW.removed_at IS NULL
    AND (SELECT COUNT(*) FROM organization_members WHERE organization_id = NEW.organization_id AND person_id <> NEW.person_id AND removed_at IS NULL) >= 50;
  SELECT RAISE(ABORT, 'team_too_many') WHERE NEW.removed_at IS NULL
    AND (SELECT COUNT(*) FROM organization_members WHERE person_id = NEW.person_id AND organization_id <> NEW.organization_id AND removed_at IS NULL) >= 20;
END;
--> statement-breakpoint
CREATE TRIGGER organization_members_return BEFORE UPDATE ON organization_members WHEN NEW.removed_at IS NULL AND OLD.removed_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'team_gone') WHERE NOT EXISTS (SELECT 1 FROM organizations WHERE id = NEW.organization_id AND deleted_at IS NULL);
  SELECT RAISE(ABORT, 'team_full')
    WHERE (SELECT COUNT(*) FROM organization_members WHERE organization_id = NEW.organization_id AND person_id <> NEW.person_id AND removed_at IS NULL) >= 50;
  SELECT RAISE(ABORT, 'team_too_many')
    WHERE (SELECT COUNT(*) FROM organization_members WHERE person_id = NEW.person_id AND organization_id <> NEW.organization_id AND removed_at IS NULL) >= 20;
END;
--> statement-breakpoint
-- While the team lives its owner administers it: an admin always remains, and nobody takes the space from whose it is.
CREATE TRIGGER organization_members_update BEFORE UPDATE ON organization_members
BEGIN
  SELECT RAISE(ABORT, 'immutable_membership') WHERE NEW.organization_id <> OLD.organization_id OR NEW.person_id <> OLD.person_id;
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.role NOT IN ('admin', 'basic_member', 'guest_member');
  SELECT RAISE(ABORT, 'team_billing_without_admin') WHERE NEW.may_manage_billing <> 0 AND NEW.role <> 'admin';
  SELECT RAISE(ABORT, 'team_owner_stays') WHERE (NEW.removed_at IS NOT NULL OR NEW.role <> 'admin' OR NEW.may_manage_billing = 0)
    AND EXISTS (SELECT 1 FROM organizations WHERE id = OLD.organization_id AND owner_id = OLD.person_id AND deleted_at IS NULL);
END;
--> statement-breakpoint
CREATE TRIGGER organization_members_delete BEFORE DELETE ON organization_members
BEGIN SELECT RAISE(ABORT, 'immutable_membership'); END;
--> statement-breakpoint
CREATE TRIGGER organization_invitations_insert BEFORE INSERT ON organization_invitations
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.status <> 'pending' OR NEW.role NOT IN ('admin', 'basic_member', 'guest_member');
  SELECT RAISE(ABORT, 'team_gone') WHERE NOT EXISTS (SELECT 1 FROM organizations WHERE id = NEW.organization_id AND deleted_at IS NULL);
  SELECT RAISE(ABORT, 'team_invitations') WHERE (
    SELECT COUNT(*) FROM organization_invitations WHERE organization_id = NEW.organization_id AND created_at > NEW.created_at - 86400000) >= 50;
END;
--> statement-breakpoint
-- What was decided stays decided.
CREATE TRIGGER organization_invitations_update BEFORE UPDATE ON organization_invitations
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.status NOT IN ('accepted', 'revoked', 'expired');
  SELECT RAISE(ABORT, 'immutable_invitation') WHERE OLD.status <> 'pending' OR NEW.email <> OLD.email OR NEW.role <> OLD.role OR NEW.organization_id <> OLD.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER membership_requests_insert BEFORE INSERT ON membership_requests
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.status <> 'pending';
  SELECT RAISE(ABORT, 'team_gone') WHERE NOT EXISTS (SELECT 1 FROM organizations WHERE id = NEW.organization_id AND deleted_at IS NULL);
  SELECT RAISE(ABORT, 'team_requests') WHERE (SELECT COUNT(*) FROM membership_requests WHERE organization_id = NEW.organization_id AND status = 'pending') >= 100;
END;
--> statement-breakpoint
CREATE TRIGGER membership_requests_update BEFORE UPDATE ON membership_requests
BEGIN
  SELECT RAISE(ABORT, 'unknown_state') WHERE NEW.status NOT IN ('approved', 'rejected');
  SELECT RAISE(ABORT, 'immutable_request') WHERE OLD.status <> 'pending' OR NEW.person_id <> OLD.person_id OR NEW.organization_id <> OLD.organization_id;
END;
