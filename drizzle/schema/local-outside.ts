import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Pending external sign-ins, at another provider or with a wallet. Each returns once, in time, to
 * the browser that started it. Stores only keyed hashes. Only app/integrations/local-identity reads
 * it.
 */
export const authOutsideAttempts = sqliteTable(
  "auth_outside_attempts",
  {
    tokenHash: text("token_hash").primaryKey(),
    /** `oidc:<id>` or `wallet`. */
    providerId: text("provider_id").notNull(),
    /**
     * `sign-in`, `connect`, `confirm`; or `offer`: it returned, and its owner must sign in and
     * accept the connection.
     */
    purpose: text("purpose").notNull(),
    /** Who connects or confirms, or whose account an offer is for; null for a sign-in. */
    userId: text("user_id"),
    clientHash: text("client_hash").notNull(),
    returnPath: text("return_path").notNull(),
    /** For an offer: the external account's id, and its email. */
    accountId: text("account_id"),
    label: text("label"),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    index("auth_outside_attempts_client").on(table.clientHash, table.purpose),
    index("auth_outside_attempts_expiry").on(table.expiresAt),
  ],
);
