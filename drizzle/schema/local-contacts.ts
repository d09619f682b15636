import { sql } from "drizzle-orm";
import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * The emails of a local user. An address that opens an account (confirmed, or its first one)
 * belongs to one account. An address that was only typed reserves nothing. The primary is mirrored
 * in `auth_users.email` and `people.email`.
 */
export const authEmails = sqliteTable(
  "auth_emails",
  {
    id: text("id").primaryKey(),
    userId: text("user_id").notNull(),
    /** Lower-case. */
    address: text("email").notNull(),
    isPrimary: integer("is_primary", { mode: "boolean" }).notNull().default(false),
    verifiedAt: integer("verified_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("auth_emails_own").on(table.userId, table.address),
    uniqueIndex("auth_emails_opens")
      .on(table.address)
      .where(sql`verified_at IS NOT NULL OR is_primary = 1`),
    uniqueIndex("auth_emails_primary")
      .on(table.userId)
      .where(sql`is_primary = 1`),
  ],
);

/**
 * The phones of a local user, in E.164. A confirmed number belongs to one account, and only a
 * confirmed one can be primary.
 */
export const authPhones = sqliteTable(
  "auth_phones",
  {
    id: text("id").primaryKey(),
    userId: text("user_id").notNull(),
    address: text("phone").notNull(),
    isPrimary: integer("is_primary", { mode: "boolean" }).notNull().default(false),
    verifiedAt: integer("verified_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("auth_phones_own").on(table.userId, table.address),
    uniqueIndex("auth_phones_opens")
      .on(table.address)
      .where(sql`verified_at IS NOT NULL`),
    uniqueIndex("auth_phones_primary")
      .on(table.userId)
      .where(sql`is_primary = 1`),
  ],
);
