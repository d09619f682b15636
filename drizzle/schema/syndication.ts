import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * Addresses with which a subscriber's own player or reader follows a page. Only the SHA-256 of a
 * token is kept; it dies with its subscription, or with the one that begins after that.
 */
export const privateFeeds = sqliteTable(
  "private_feeds",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    creatorId: text("creator_id").notNull(),
    subscriptionId: text("subscription_id").notNull(),
    tokenHash: text("token_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    revokedAt: integer("revoked_at"),
  },
  (table) => [
    uniqueIndex("private_feeds_token_hash").on(table.tokenHash),
    uniqueIndex("private_feeds_living")
      .on(table.subscriptionId)
      .where(sql`revoked_at IS NULL`),
    index("private_feeds_person").on(table.personId, table.createdAt),
  ],
);

/**
 * How the sitemap is cut: each row is a file of the keys after one and up to another, the last of a
 * kind without an end.
 */
export const sitemapPages = sqliteTable(
  "sitemap_pages",
  {
    id: integer("id").primaryKey(),
    kind: text("kind", { enum: ["creators", "posts", "collections"] }).notNull(),
    afterKey: text("after_key").notNull(),
    toKey: text("to_key"),
    /** When something of the page changed last, as far as was looked; null while it is empty. */
    changedAt: integer("changed_at"),
    checkedAt: integer("checked_at").notNull(),
  },
  (table) => [
    uniqueIndex("sitemap_pages_range").on(table.kind, table.afterKey),
    index("sitemap_pages_checked").on(table.checkedAt),
  ],
);
