import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Posts of one creator, together and in an order. */
export const collections = sqliteTable(
  "collections",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    title: text("title").notNull(),
    description: text("description").notNull().default(""),
    /**
     * What it costs as one; null is not sold as one. A trigger keeps it within what anything may
     * cost.
     */
    priceCents: integer("price_cents"),
    coverMediaId: text("cover_media_id"),
    /**
     * How many posts were put in it, in whatever state; moved by triggers, which refuse more than
     * the limit.
     */
    placedCount: integer("placed_count").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    /** Held by the moderation: only its creator's page and moderators see it. */
    heldAt: integer("held_at"),
    /** Deleted ones may come back for thirty days. */
    deletedAt: integer("deleted_at"),
  },
  (table) => [
    index("collections_creator").on(table.creatorId, table.createdAt),
    index("collections_cover").on(table.coverMediaId),
  ],
);

/** Ordered by position, then by post: two posts at one position lose nothing. */
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

/** Which posts of collections a member has read: theirs alone. */
export const postReads = sqliteTable(
  "post_reads",
  {
    personId: text("person_id").notNull(),
    postId: text("post_id").notNull(),
    readAt: integer("read_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.postId] })],
);
