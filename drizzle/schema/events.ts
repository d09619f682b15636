import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** An event of a creator: a live stream, a class, an open rehearsal. */
export const events = sqliteTable(
  "events",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    title: text("title").notNull(),
    place: text("place").notNull(),
    startsAt: integer("starts_at").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("events_starts").on(table.startsAt),
    index("events_creator").on(table.creatorId, table.startsAt),
  ],
);
