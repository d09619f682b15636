import { sql } from "drizzle-orm";
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
    state: text("state", { enum: ["draft", "scheduled", "published"] }).notNull(),
    /** Of the first publication: publishing again after a pause moves nothing in the feeds. */
    publishedAt: integer("published_at"),
    /** When a scheduled post publishes itself; null in every other state. */
    scheduledAt: integer("scheduled_at"),
    /** The last change after publication, shown as "editado". */
    editedAt: integer("edited_at"),
    pinnedAt: integer("pinned_at"),
    /** Its pictures wait behind a click. */
    isSensitive: integer("is_sensitive", { mode: "boolean" }).notNull().default(false),
    /** Grows with each save, so that two open composers never write over each other unseen. */
    version: integer("version").notNull().default(1),
    /** Which composer saved last: the same one may save again though an answer to it was lost. */
    savedByTab: text("saved_by_tab").notNull().default(""),
    heldAt: integer("held_at"),
    deletedAt: integer("deleted_at"),
    /** Deleted for so long that nothing of it is left but its row, which money may point at. */
    erasedAt: integer("erased_at"),
    /** Since when nobody may comment any more; what was said stays. */
    commentsClosedAt: integer("comments_closed_at"),
    likesCount: integer("likes_count").notNull().default(0),
    commentsCount: integer("comments_count").notNull().default(0),
    /** Who of the author's team published it; null when the author did. */
    actedBy: text("acted_by"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("posts_author").on(table.authorId, table.publishedAt, table.id),
    index("posts_recent").on(table.publishedAt, table.id),
    // What a list may show of one author. The last three say nothing new: with them a list is read
    // from the index alone.
    index("posts_in_lists")
      .on(table.authorId, table.publishedAt, table.id, table.state, table.heldAt, table.deletedAt)
      .where(sql`state = 'published' AND held_at IS NULL AND deleted_at IS NULL`),
    index("posts_due")
      .on(table.scheduledAt)
      .where(sql`state = 'scheduled'`),
    index("posts_unpublished")
      .on(table.authorId, table.updatedAt)
      .where(sql`state <> 'published'`),
    index("posts_pinned")
      .on(table.authorId, table.pinnedAt)
      .where(sql`pinned_at IS NOT NULL`),
    index("posts_deleted")
      .on(table.deletedAt)
      .where(sql`deleted_at IS NOT NULL AND erased_at IS NULL`),
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
    /** When it was announced that a rule of `opensAt` had opened. */
    announcedAt: integer("announced_at"),
  },
  (table) => [
    index("post_access_rules_post").on(table.postId),
    index("post_access_rules_opening")
      .on(table.opensAt)
      .where(sql`opens_at IS NOT NULL AND announced_at IS NULL`),
  ],
);

export const postMedia = sqliteTable(
  "post_media",
  {
    postId: text("post_id").notNull(),
    mediaId: text("media_id").notNull(),
    position: integer("position").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.mediaId] }),
    index("post_media_media").on(table.mediaId),
  ],
);

export const postLikes = sqliteTable(
  "post_likes",
  {
    postId: text("post_id").notNull(),
    personId: text("person_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.personId] }),
    index("post_likes_person").on(table.personId),
    index("post_likes_recent").on(table.postId, table.createdAt),
  ],
);

/**
 * A question under a post, for whoever may see the post. Once somebody voted, the database refuses
 * another question.
 */
export const postPolls = sqliteTable("post_polls", {
  postId: text("post_id").primaryKey(),
  question: text("question").notNull(),
  isMultiple: integer("is_multiple", { mode: "boolean" }).notNull(),
  /** Null never closes. */
  closesAt: integer("closes_at"),
  /** People who voted; kept by a trigger. */
  votersCount: integer("voters_count").notNull().default(0),
});

export const postPollOptions = sqliteTable(
  "post_poll_options",
  {
    postId: text("post_id").notNull(),
    /** From 0. */
    position: integer("position").notNull(),
    label: text("label").notNull(),
    /** Kept by a trigger. */
    votesCount: integer("votes_count").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.postId, table.position] })],
);

/** One row a person, whatever they chose and however often they changed their mind. */
export const postPollVotes = sqliteTable(
  "post_poll_votes",
  {
    postId: text("post_id").notNull(),
    personId: text("person_id").notNull(),
    /** One bit an option: 1 << position. */
    choices: integer("choices").notNull(),
    votedAt: integer("voted_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.personId] }),
    index("post_poll_votes_person").on(table.personId),
  ],
);

/** One row, kept by triggers: how many posts are published, for totals that nobody has to count. */
export const postTotals = sqliteTable("post_totals", {
  id: integer("id").primaryKey(),
  publishedCount: integer("published_count").notNull().default(0),
});
