import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What the calendar tried in vain, by the id of its row, and when it has its next turn. */
export const retryBackoffs = sqliteTable(
  "setbacks",
  {
    subjectId: text("subject_id").primaryKey(),
    failures: integer("failures").notNull(),
    nextAttemptAt: integer("next_attempt_at").notNull(),
  },
  (table) => [index("setbacks_old").on(table.nextAttemptAt)],
);
