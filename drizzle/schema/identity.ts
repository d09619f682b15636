import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/** A person of the product. The identity provider authenticates them. */
export const people = sqliteTable(
  "people",
  {
    id: text("id").primaryKey(),
    provider: text("provider").notNull(),
    providerUserId: text("provider_user_id").notNull(),
    email: text("email").notNull(),
    isModerator: integer("is_moderator", { mode: "boolean" }).notNull().default(false),
    bannedAt: integer("banned_at"),
    /**
     * When they requested account deletion. They then neither buy nor sell, and only subscribers
     * see their page. Null again if they cancel it.
     */
    leavingAt: integer("leaving_at"),
    /** When the account was deleted. The ledger still refers to the row. */
    deletedAt: integer("deleted_at"),
    createdAt: integer("created_at").notNull(),
    /** An ISO date; null for accounts from before it was required. */
    birthDate: text("birth_date"),
    /** When an age check confirmed that they are an adult; nothing else of it is stored. */
    ageCheckedAt: integer("age_checked_at"),
    /**
     * When the profile was completed: username, name, birth date, terms. Before that the person is
     * not a member.
     */
    registeredAt: integer("registered_at"),
  },
  (table) => [
    uniqueIndex("people_provider_user").on(table.provider, table.providerUserId),
    uniqueIndex("people_email").on(table.email),
    // The few people whose posts are not public, so that the query about everyone else reads no
    // rows.
    index("people_out")
      .on(table.id, table.bannedAt, table.leavingAt)
      .where(sql`banned_at IS NOT NULL OR leaving_at IS NOT NULL`),
  ],
);

/**
 * Earlier email addresses. For thirty days they are notified of payout changes: whoever steals an
 * account changes the email first.
 */
export const formerEmails = sqliteTable(
  "former_emails",
  {
    personId: text("person_id").notNull(),
    email: text("email").notNull(),
    leftAt: integer("left_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.personId, table.email] }),
    index("former_emails_left").on(table.leftAt),
  ],
);

/** Which terms each person accepted, and when. A version is the date from which it applies. */
export const termsAcceptances = sqliteTable(
  "terms_acceptances",
  {
    personId: text("person_id").notNull(),
    version: text("version").notNull(),
    acceptedAt: integer("accepted_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.version] })],
);

/** API keys that read `/api/v1` as a member. Only the SHA-256 of a key is stored. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    name: text("name").notNull(),
    description: text("description").notNull().default(""),
    tokenHash: text("token_hash").notNull(),
    hint: text("hint").notNull(),
    /** Scopes separated by spaces. */
    scopes: text("scopes").notNull(),
    expiresAt: integer("expires_at"),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
    revokedAt: integer("revoked_at"),
  },
  (table) => [
    uniqueIndex("api_keys_token_hash").on(table.tokenHash),
    uniqueIndex("api_keys_live_name")
      .on(table.personId, table.name)
      .where(sql`revoked_at IS NULL`),
  ],
);

/**
 * The state of a user at a hosted identity provider: banned or deleted. Stores its version, because
 * webhooks arrive in any order.
 */
export const providerAccounts = sqliteTable(
  "provider_accounts",
  {
    provider: text("provider").notNull(),
    providerUserId: text("provider_user_id").notNull(),
    /** The provider's own time of the newest update applied, epoch milliseconds. */
    updatedAt: integer("updated_at").notNull(),
    bannedAt: integer("banned_at"),
    deletedAt: integer("deleted_at"),
  },
  (table) => [primaryKey({ columns: [table.provider, table.providerUserId] })],
);
