import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const comments = sqliteTable(
  "comments",
  {
    id: text("id").primaryKey(),
    postId: text("post_id").notNull(),
    authorId: text("author_id").notNull(),
    body: text("body").notNull(),
    deletedAt: integer("deleted_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("comments_post").on(table.postId, table.createdAt)],
);
