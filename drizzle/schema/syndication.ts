import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * Private feed addresses for a subscriber's podcast player or reader. Stores only the SHA-256 of a
 * token. It expires with its subscription, or with the next one.
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
 * How the sitemap is divided: each row is a file of the keys after one and up to another. The last
 * file of a kind has no upper key.
 */
export const sitemapPages = sqliteTable(
  "sitemap_pages",
  {
    id: integer("id").primaryKey(),
    kind: text("kind", { enum: ["creators", "posts", "collections", "events"] }).notNull(),
    afterKey: text("after_key").notNull(),
    toKey: text("to_key"),
    /** The last known change of the file's content; null while it is empty. */
    changedAt: integer("changed_at"),
    checkedAt: integer("checked_at").notNull(),
  },
  (table) => [
    uniqueIndex("sitemap_pages_range").on(table.kind, table.afterKey),
    index("sitemap_pages_checked").on(table.checkedAt),
  ],
);
