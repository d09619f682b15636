import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * How often somebody did something in the running window. A row a person, act and window: their
 * number does not grow with what they do.
 */
export const floodCounts = sqliteTable("flood_counts", {
  /** `<act>:<person>:<window in milliseconds>`. */
  key: text("key").primaryKey(),
  count: integer("count").notNull(),
  windowStartedAt: integer("window_started_at").notNull(),
});
