import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Pushes to local devices, shown in the sandbox console. */
export const localPushes = sqliteTable(
  "local_pushes",
  {
    id: text("id").primaryKey(),
    sourceKey: text("source_key").notNull(),
    endpoint: text("endpoint").notNull(),
    /** JSON as the service worker gets it. */
    payload: text("payload").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("local_pushes_source").on(table.sourceKey),
    index("local_pushes_created").on(table.createdAt),
  ],
);
