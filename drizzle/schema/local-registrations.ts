import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Unfinished sign-ups: what was typed or what an external provider supplied. They last until the
 * email is verified and nothing is missing. Such a row creates no account, person or username. Only
 * app/integrations/local-identity reads it.
 */
export const authPendingRegistrations = sqliteTable(
  "auth_pending_registrations",
  {
    /** The keyed hash of the cookie: only the browser that started may continue. */
    id: text("id").primaryKey(),
    email: text("email"),
    isEmailProven: integer("is_email_proven", { mode: "boolean" }).notNull(),
    name: text("name"),
    username: text("username"),
    /** An ISO date. */
    birthDate: text("birth_date"),
    termsVersion: text("terms_version"),
    /**
     * The sign-in method of the future account. `credential` has a password hash; `code` uses only
     * the email; an external provider has its own id of the person.
     */
    providerId: text("provider_id").notNull(),
    accountId: text("account_id"),
    passwordHash: text("password_hash"),
    /** The path on this site to return to. */
    returnTo: text("return_to").notNull(),
    /**
     * The checkout to pay after the email is verified: its form fields as JSON. Null without a
     * purchase.
     */
    cart: text("cart"),
    /** The payer's CPF, eleven digits. */
    taxId: text("tax_id"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("auth_pending_registrations_expiry").on(table.expiresAt)],
);
