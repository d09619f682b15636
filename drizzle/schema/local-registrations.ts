import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Sign-ups that are not finished: what was typed or what an outside provider said, until the e-mail
 * is proven and nothing is missing. No account, person or name exists because of such a row. Only
 * app/integrations/local-identity reads it.
 */
export const authPendingRegistrations = sqliteTable(
  "auth_pending_registrations",
  {
    /** The keyed hash of the cookie: only the browser that began may go on. */
    id: text("id").primaryKey(),
    email: text("email"),
    isEmailProven: integer("is_email_proven", { mode: "boolean" }).notNull(),
    name: text("name"),
    username: text("username"),
    /** An ISO date. */
    birthDate: text("birth_date"),
    termsVersion: text("terms_version"),
    /**
     * How the account will be entered: `credential` with a hash, `code` by its e-mail alone, or an
     * outside provider with its own id of the person.
     */
    providerId: text("provider_id").notNull(),
    accountId: text("account_id"),
    passwordHash: text("password_hash"),
    /** The own path to go back to. */
    returnTo: text("return_to").notNull(),
    /**
     * What is paid there once the e-mail is proven: the fields of its form, as JSON. Null where
     * nothing is bought.
     */
    cart: text("cart"),
    /** The CPF of who pays, eleven digits. */
    taxId: text("tax_id"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("auth_pending_registrations_expiry").on(table.expiresAt)],
);
