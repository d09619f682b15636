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
    /** The authenticator's signature counter; always 0 if it does not count. */
    counter: integer("counter").notNull(),
    /** A JSON list of transports, a hint to find the authenticator. */
    transports: text("transports").notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [index("auth_passkeys_user").on(table.userId)],
);

/** WebAuthn challenges. Each is answered once. */
export const authPasskeyChallenges = sqliteTable(
  "auth_passkey_challenges",
  {
    challenge: text("challenge").primaryKey(),
    /** The user who adds a passkey; null for a sign-in. */
    userId: text("user_id"),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("auth_passkey_challenges_expiry").on(table.expiresAt)],
);
