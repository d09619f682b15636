import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Rate limit counts of the current window. One row per action, person and window, so that rows do
 * not grow with use.
 */
export const floodCounts = sqliteTable("flood_counts", {
  /** `<action>:<person>:<window in milliseconds>`. */
  key: text("key").primaryKey(),
  count: integer("count").notNull(),
  windowStartedAt: integer("window_started_at").notNull(),
});
