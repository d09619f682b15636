import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/** A person as the product knows them; who they are is the identity provider's business. */
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
     * Since when they are leaving: nothing new is sold by or to them, and only who pays sees their
     * page. Null again when they stay.
     */
    leavingAt: integer("leaving_at"),
    /** Since when nobody is behind the row any more; the ledger still names it. */
    deletedAt: integer("deleted_at"),
    createdAt: integer("created_at").notNull(),
    /** An ISO date; null for who came before it was asked. */
    birthDate: text("birth_date"),
    /** When an age check answered that they are an adult; nothing else of it is kept. */
    ageCheckedAt: integer("age_checked_at"),
    /**
     * When the profile was finished: username, name, birth date, terms. Until then the person is no
     * member.
     */
    registeredAt: integer("registered_at"),
  },
  (table) => [
    uniqueIndex("people_provider_user").on(table.provider, table.providerUserId),
    uniqueIndex("people_email").on(table.email),
    // The few whose posts are not for everybody: who asks it about everyone else reads nothing.
    index("people_out")
      .on(table.id, table.bannedAt, table.leavingAt)
      .where(sql`banned_at IS NOT NULL OR leaving_at IS NOT NULL`),
  ],
);

/**
 * What somebody's e-mail was before it changed: for thirty days it is told where their money goes,
 * since who stole an account changes the e-mail first.
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

/** Which terms each person accepted, and when. A version is the day from which it holds. */
export const termsAcceptances = sqliteTable(
  "terms_acceptances",
  {
    personId: text("person_id").notNull(),
    version: text("version").notNull(),
    acceptedAt: integer("accepted_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.version] })],
);

/** Keys with which programs read `/api/v1` in a member's name. Only the SHA-256 of a key is kept. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    name: text("name").notNull(),
    description: text("description").notNull().default(""),
    tokenHash: text("token_hash").notNull(),
    hint: text("hint").notNull(),
    /** Scopes with a space between. */
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
 * What a hosted provider told about its user: who is banned or deleted there, and as of which
 * version, because deliveries come in any order.
 */
export const providerAccounts = sqliteTable(
  "provider_accounts",
  {
    provider: text("provider").notNull(),
    providerUserId: text("provider_user_id").notNull(),
    /** The provider's own time of the newest thing it told, epoch milliseconds. */
    updatedAt: integer("updated_at").notNull(),
    bannedAt: integer("banned_at"),
    deletedAt: integer("deleted_at"),
  },
  (table) => [primaryKey({ columns: [table.provider, table.providerUserId] })],
);
