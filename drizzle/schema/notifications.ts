import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const notifications = sqliteTable(
  "notifications",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    kind: text("kind").notNull(),
    /** The text as shown, and the path on this site that it links to. */
    body: text("body").notNull(),
    path: text("path").notNull(),
    /** Derived from the outbox message, so that a repeated delivery makes one row. */
    sourceKey: text("source_key").notNull(),
    readAt: integer("read_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("notifications_source").on(table.sourceKey),
    index("notifications_person").on(table.personId, table.createdAt),
    index("notifications_unread")
      .on(table.personId)
      .where(sql`read_at IS NULL`),
  ],
);
