import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Passkeys of local users (WebAuthn credentials). Only app/integrations/local-identity reads them. */
export const authPasskeys = sqliteTable(
  "auth_passkeys",
  {
    /** The credential's own id, in base64url. */
    id: text("id").primaryKey(),
    userId: text("user_id").notNull(),
    name: text("name").notNull(),
    /** COSE, in base64url. */
    publicKey: text("public_key").notNull(),
    /** Of the authenticator's signatures; 0 for ever where it does not count. */
    counter: integer("counter").notNull(),
    /** As a JSON list, to find the authenticator again. */
    transports: text("transports").notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [index("auth_passkeys_user").on(table.userId)],
);

/** What an authenticator was asked to sign: each is answered once. */
export const authPasskeyChallenges = sqliteTable(
  "auth_passkey_challenges",
  {
    challenge: text("challenge").primaryKey(),
    /** Whose new passkey it is for; null for signing in. */
    userId: text("user_id"),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("auth_passkey_challenges_expiry").on(table.expiresAt)],
);
