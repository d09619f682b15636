import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Emails written by the local mailer, shown in the sandbox console. */
export const localMails = sqliteTable(
  "local_mails",
  {
    id: text("id").primaryKey(),
    sourceKey: text("source_key").notNull(),
    recipient: text("recipient").notNull(),
    subject: text("subject").notNull(),
    body: text("body").notNull(),
    /** The HTML part; null for what was sent before it was kept. */
    html: text("html"),
    /** The address of the header List-Unsubscribe; null for an email that cannot be stopped. */
    unsubscribeUrl: text("unsubscribe_url"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("local_mails_source").on(table.sourceKey),
    index("local_mails_created").on(table.createdAt),
  ],
);

/**
 * Emails accepted for delivery, by idempotency key, so that a repeated message sends no second
 * email. Stores no address and no text.
 */
export const sentMails = sqliteTable(
  "sent_mails",
  {
    key: text("key").primaryKey(),
    sentAt: integer("sent_at").notNull(),
    /** It was recorded before it was handed over, and nobody said yet that it left. */
    isUnconfirmed: integer("is_unconfirmed", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [index("sent_mails_sent").on(table.sentAt)],
);
