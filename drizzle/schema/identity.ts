import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

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
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("people_provider_user").on(table.provider, table.providerUserId),
    uniqueIndex("people_email").on(table.email),
  ],
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
    uniqueIndex("api_keys_live_name").on(table.personId, table.name).where(sql`revoked_at IS NULL`),
  ],
);

/** What a hosted provider told about its user: who is banned or deleted there, and as of which version, because deliveries come in any order. */
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
