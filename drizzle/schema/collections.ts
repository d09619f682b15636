import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** An ordered set of one creator's posts. */
export const collections = sqliteTable(
  "collections",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    title: text("title").notNull(),
    description: text("description").notNull().default(""),
    /**
     * The price of the whole collection; null if it is not sold as one. A trigger enforces the
     * price limits.
     */
    priceCents: integer("price_cents"),
    coverMediaId: text("cover_media_id"),
    /** How many posts were added, in any state. Triggers update it and refuse more than the limit. */
    placedCount: integer("placed_count").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    /** When moderation hid it: then only its creator and moderators see it. */
    heldAt: integer("held_at"),
    /** A deleted collection can be restored for thirty days. */
    deletedAt: integer("deleted_at"),
  },
  (table) => [
    index("collections_creator").on(table.creatorId, table.createdAt),
    index("collections_cover").on(table.coverMediaId),
  ],
);

/** Ordered by position, then by post, so that two posts at one position are both listed. */
export const collectionPosts = sqliteTable(
  "collection_posts",
  {
    collectionId: text("collection_id").notNull(),
    postId: text("post_id").notNull(),
    position: integer("position").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.collectionId, table.postId] }),
    index("collection_posts_post").on(table.postId),
    index("collection_posts_order").on(table.collectionId, table.position, table.postId),
  ],
);

/** Which posts of collections a member has read. Only the member sees it. */
export const postReads = sqliteTable(
  "post_reads",
  {
    personId: text("person_id").notNull(),
    postId: text("post_id").notNull(),
    readAt: integer("read_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.postId] })],
);
