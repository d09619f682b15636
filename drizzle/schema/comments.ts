import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/** Comments, two levels deep: a comment on a post, or a reply to one. Triggers update the counters. */
export const comments = sqliteTable(
  "comments",
  {
    id: text("id").primaryKey(),
    postId: text("post_id").notNull(),
    authorId: text("author_id").notNull(),
    /** The comment that this one replies to; a reply has no replies. */
    parentId: text("parent_id"),
    body: text("body").notNull(),
    /** Existing usernames that the body mentions, separated by spaces. */
    mentions: text("mentions").notNull().default(""),
    likesCount: integer("likes_count").notNull().default(0),
    /** Replies that are neither removed nor hidden. */
    repliesCount: integer("replies_count").notNull().default(0),
    editedAt: integer("edited_at"),
    /** When the post's owner or a moderator hid it. Then only they and its author see it. */
    hiddenAt: integer("hidden_at"),
    /** When a moderation decision hid it. Then only moderation shows it again. */
    heldAt: integer("held_at"),
    pinnedAt: integer("pinned_at"),
    deletedAt: integer("deleted_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("comments_post").on(table.postId, table.createdAt),
    index("comments_roots")
      .on(table.postId, table.createdAt, table.id)
      .where(sql`parent_id IS NULL`),
    index("comments_replies")
      .on(table.parentId, table.createdAt, table.id)
      .where(sql`parent_id IS NOT NULL`),
    uniqueIndex("comments_one_pinned")
      .on(table.postId)
      .where(sql`pinned_at IS NOT NULL`),
    index("comments_removed")
      .on(table.deletedAt)
      .where(sql`deleted_at IS NOT NULL AND body <> ''`),
  ],
);

export const commentLikes = sqliteTable(
  "comment_likes",
  {
    commentId: text("comment_id").notNull(),
    personId: text("person_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.commentId, table.personId] }),
    index("comment_likes_person").on(table.personId),
  ],
);
