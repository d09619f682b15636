import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Text messages written by the embedded local sender, read in the sandbox console. */
export const localTexts = sqliteTable(
  "local_texts",
  {
    id: text("id").primaryKey(),
    recipient: text("recipient").notNull(),
    body: text("body").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("local_texts_created").on(table.createdAt)],
);
