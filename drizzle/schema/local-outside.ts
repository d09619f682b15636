import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Ways out to another provider or to a wallet that have not come back yet: each comes back once,
 * within its time, to the browser that went. Only keyed hashes are kept of what travels. Only
 * app/integrations/local-identity reads it.
 */
export const authOutsideAttempts = sqliteTable(
  "auth_outside_attempts",
  {
    tokenHash: text("token_hash").primaryKey(),
    /** `oidc:<id>` or `wallet`. */
    providerId: text("provider_id").notNull(),
    /**
     * `sign-in`, `connect`, `confirm`; or `offer`: came back, and waits for its person to sign in
     * and say yes.
     */
    purpose: text("purpose").notNull(),
    /** Who connects or confirms, or whose account an offer is for; null for whoever signs in. */
    userId: text("user_id"),
    clientHash: text("client_hash").notNull(),
    returnPath: text("return_path").notNull(),
    /** Of an offer: the account there, and its e-mail. */
    accountId: text("account_id"),
    label: text("label"),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    index("auth_outside_attempts_client").on(table.clientHash, table.purpose),
    index("auth_outside_attempts_expiry").on(table.expiresAt),
  ],
);
