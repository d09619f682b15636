import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Failed jobs, by the id of their row, and when each is retried. */
export const retryBackoffs = sqliteTable(
  "setbacks",
  {
    subjectId: text("subject_id").primaryKey(),
    failures: integer("failures").notNull(),
    nextAttemptAt: integer("next_attempt_at").notNull(),
  },
  (table) => [index("setbacks_old").on(table.nextAttemptAt)],
);
