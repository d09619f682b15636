import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/**
 * A team that manages one creator's space, which belongs to its owner. Triggers enforce quotas,
 * allowed values and immutable columns.
 */
export const organizations = sqliteTable(
  "organizations",
  {
    id: text("id").primaryKey(),
    ownerId: text("owner_id").notNull(),
    name: text("name").notNull(),
    slug: text("slug").notNull(),
    /** Lower-case, verified by an admin's email when it was set. */
    domain: text("domain"),
    /** An enrolment mode of teams/schema.ts. */
    enrolment: text("enrolment").notNull().default("manual_invitation"),
    logoMediaId: text("logo_media_id"),
    /**
     * Set for a team stored at a hosted identity provider. Holds its last update, by the provider's
     * time.
     */
    provider: text("provider"),
    providerOrganizationId: text("provider_organization_id"),
    eventVersion: integer("told_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
  },
  (table) => [
    uniqueIndex("organizations_one_a_space")
      .on(table.ownerId)
      .where(sql`deleted_at IS NULL`),
    uniqueIndex("organizations_slug")
      .on(table.slug)
      .where(sql`deleted_at IS NULL`),
    uniqueIndex("organizations_domain")
      .on(table.domain)
      .where(sql`deleted_at IS NULL`),
    uniqueIndex("organizations_provider").on(table.provider, table.providerOrganizationId),
    // Whether a team uses a media row, for the sweeper.
    index("organizations_logo").on(table.logoMediaId),
  ],
);

/**
 * A former member's row stays, with `removed_at`, so that a late provider webhook cannot restore
 * them.
 */
export const organizationMembers = sqliteTable(
  "organization_members",
  {
    organizationId: text("organization_id").notNull(),
    personId: text("person_id").notNull(),
    role: text("role", { enum: ["admin", "basic_member", "guest_member"] }).notNull(),
    /**
     * Sees financial data and requests payouts. Only an admin can have it; only the owner grants
     * it.
     */
    mayManageBilling: integer("may_manage_billing", { mode: "boolean" }).notNull().default(false),
    joinedAt: integer("joined_at").notNull(),
    removedAt: integer("removed_at"),
    eventVersion: integer("told_at"),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.personId] }),
    index("organization_members_person").on(table.personId, table.removedAt),
  ],
);

export const organizationInvitations = sqliteTable(
  "organization_invitations",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    /** Lower-case. */
    email: text("email").notNull(),
    role: text("role", { enum: ["admin", "basic_member", "guest_member"] }).notNull(),
    status: text("status", { enum: ["pending", "accepted", "revoked", "expired"] }).notNull(),
    invitedBy: text("invited_by").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    decidedAt: integer("decided_at"),
    acceptedBy: text("accepted_by"),
  },
  (table) => [
    uniqueIndex("organization_invitations_one_live")
      .on(table.organizationId, table.email)
      .where(sql`status = 'pending'`),
    index("organization_invitations_team").on(table.organizationId, table.createdAt),
    index("organization_invitations_email").on(table.email, table.status),
  ],
);

/** A request to join from a person with an email in the team's domain. */
export const membershipRequests = sqliteTable(
  "membership_requests",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    personId: text("person_id").notNull(),
    status: text("status", { enum: ["pending", "approved", "rejected"] }).notNull(),
    createdAt: integer("created_at").notNull(),
    decidedAt: integer("decided_at"),
    decidedBy: text("decided_by"),
  },
  (table) => [
    uniqueIndex("membership_requests_one_live")
      .on(table.organizationId, table.personId)
      .where(sql`status = 'pending'`),
    index("membership_requests_person").on(table.personId, table.organizationId),
  ],
);
