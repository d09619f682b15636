import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const posts = sqliteTable(
  "posts",
  {
    id: text("id").primaryKey(),
    authorId: text("author_id").notNull(),
    title: text("title").notNull(),
    /** Shown to everyone, also when the post is locked. */
    teaser: text("teaser").notNull().default(""),
    content: text("content").notNull(),
    state: text("state", { enum: ["draft", "published"] }).notNull(),
    publishedAt: integer("published_at"),
    heldAt: integer("held_at"),
    deletedAt: integer("deleted_at"),
    likesCount: integer("likes_count").notNull().default(0),
    commentsCount: integer("comments_count").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("posts_author").on(table.authorId, table.publishedAt, table.id),
    index("posts_recent").on(table.publishedAt, table.id),
  ],
);

/** Any rule that opens the post is enough. A plan rule names its plan; a price rule its amount. */
export const postAccessRules = sqliteTable(
  "post_access_rules",
  {
    id: text("id").primaryKey(),
    postId: text("post_id").notNull(),
    kind: text("kind", { enum: ["public", "followers", "subscribers", "plan", "price"] }).notNull(),
    planId: text("plan_id"),
    amountCents: integer("amount_cents"),
    /** Null opens with the post. */
    opensAt: integer("opens_at"),
  },
  (table) => [index("post_access_rules_post").on(table.postId)],
);

export const postMedia = sqliteTable(
  "post_media",
  {
    postId: text("post_id").notNull(),
    mediaId: text("media_id").notNull(),
    position: integer("position").notNull(),
  },
  (table) => [primaryKey({ columns: [table.postId, table.mediaId] }), index("post_media_media").on(table.mediaId)],
);

export const postLikes = sqliteTable(
  "post_likes",
  {
    postId: text("post_id").notNull(),
    personId: text("person_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.postId, table.personId] }), index("post_likes_person").on(table.personId)],
);

/** Bought one by one; stays until refunded. */
export const postPurchases = sqliteTable(
  "post_purchases",
  {
    postId: text("post_id").notNull(),
    personId: text("person_id").notNull(),
    chargeId: text("charge_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.postId, table.personId] })],
);

/** One row, kept by triggers: how many posts are published, for totals that nobody has to count. */
export const postTotals = sqliteTable("post_totals", {
  id: integer("id").primaryKey(),
  publishedCount: integer("published_count").notNull().default(0),
});
