import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * Codes and links that the embedded identity has sent. One row per purpose and subject, so that
 * only the latest is valid. Stores only keyed hashes of what was sent and of the browser that
 * asked.
 */
export const authChallenges = sqliteTable(
  "auth_challenges",
  {
    id: text("id").primaryKey(),
    purpose: text("purpose").notNull(),
    /**
     * The subject: the id of an email, a phone or a pending registration. For somebody not signed
     * in, the hash of what was typed.
     */
    subject: text("subject").notNull(),
    /** Null for a sign-up, and if no account matches what was typed. The row exists in every case. */
    userId: text("user_id"),
    /** The destination, or what was typed to ask for it: an email, a phone or a username. */
    address: text("email").notNull(),
    codeHash: text("code_hash").notNull(),
    linkHash: text("link_hash").notNull(),
    clientHash: text("client_hash").notNull(),
    tries: integer("tries").notNull().default(0),
    sentAt: integer("sent_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
  },
  (table) => [
    uniqueIndex("auth_challenges_one_live").on(table.purpose, table.subject),
    uniqueIndex("auth_challenges_link").on(table.linkHash),
    index("auth_challenges_client").on(table.clientHash, table.purpose),
    index("auth_challenges_expiry").on(table.expiresAt),
  ],
);
