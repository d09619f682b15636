import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How many people a post was emailed to, and how many of them opened it and followed a link. */
export const newsletterTotals = sqliteTable("newsletter_totals", {
  postId: text("post_id").primaryKey(),
  /** The start of the day of the first email. */
  firstSentAt: integer("first_sent_at").notNull(),
  sentCount: integer("sent_count").notNull().default(0),
  openedCount: integer("opened_count").notNull().default(0),
  clickedCount: integer("clicked_count").notNull().default(0),
});

/**
 * Who is counted already among those who opened a post's email or followed a link of it, so that
 * each counts once. Says no time, network or program. Forgotten after thirty days.
 */
export const newsletterReaders = sqliteTable(
  "newsletter_readers",
  {
    postId: text("post_id").notNull(),
    personId: text("person_id").notNull(),
    isClicked: integer("is_clicked", { mode: "boolean" }).notNull(),
    /** The start of the day on which it was counted first. */
    countedOn: integer("counted_on").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.personId] }),
    index("newsletter_readers_person").on(table.personId),
    index("newsletter_readers_counted").on(table.countedOn),
  ],
);

/** What `newsletter_totals` counted of a post on a São Paulo day. */
export const newsletterDays = sqliteTable(
  "newsletter_days",
  {
    postId: text("post_id").notNull(),
    day: integer("day").notNull(),
    sentCount: integer("sent_count").notNull().default(0),
    openedCount: integer("opened_count").notNull().default(0),
    clickedCount: integer("clicked_count").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.postId, table.day] })],
);
