import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What staff tell everybody about Coreto itself. A row without `sentAt` is a draft. */
export const productNews = sqliteTable(
  "product_news",
  {
    id: text("id").primaryKey(),
    text: text("text").notNull(),
    /** The page of Coreto where the notification leads. */
    path: text("path").notNull(),
    writtenBy: text("written_by").notNull(),
    createdAt: integer("created_at").notNull(),
    sentAt: integer("sent_at"),
    sentBy: text("sent_by"),
  },
  (table) => [
    index("product_news_created").on(table.createdAt),
    index("product_news_sent").on(table.sentAt),
  ],
);

/** The versions of the terms that everybody was told of before they applied. */
export const termsAnnouncements = sqliteTable("terms_announcements", {
  version: text("version").primaryKey(),
  announcedAt: integer("announced_at").notNull(),
  announcedBy: text("announced_by").notNull(),
});
