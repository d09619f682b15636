import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const collections = sqliteTable(
  "collections",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    title: text("title").notNull(),
    description: text("description").notNull().default(""),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("collections_creator").on(table.creatorId, table.createdAt)],
);

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
  ],
);
