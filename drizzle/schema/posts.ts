import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const posts = sqliteTable(
  "posts",
  {
    id: text("id").primaryKey(),
    authorId: text("author_id").notNull(),
    title: text("title").notNull(),
    /** Shown to everyone, even if the post is locked. */
    teaser: text("teaser").notNull().default(""),
    content: text("content").notNull(),
    state: text("state", { enum: ["draft", "scheduled", "published"] }).notNull(),
    /** Time of the first publication. Publishing again after a pause does not move it in the feeds. */
    publishedAt: integer("published_at"),
    /** When a scheduled post is published automatically; null in every other state. */
    scheduledAt: integer("scheduled_at"),
    /** The last change after publication, shown as "editado". */
    editedAt: integer("edited_at"),
    pinnedAt: integer("pinned_at"),
    /** Who gets the post by email when it is published. */
    mailTo: text("mail_to", { enum: ["nobody", "readers", "subscribers", "everyone"] })
      .notNull()
      .default("nobody"),
    /** Its pictures are hidden until a click. */
    isSensitive: integer("is_sensitive", { mode: "boolean" }).notNull().default(false),
    /** Incremented by each save, so that two open composers never overwrite each other silently. */
    version: integer("version").notNull().default(1),
    /** The composer that saved last: it may save again if the response was lost. */
    savedByTab: text("saved_by_tab").notNull().default(""),
    heldAt: integer("held_at"),
    deletedAt: integer("deleted_at"),
    /**
     * When its content was erased, long after its deletion. Only the row remains, because payments
     * may refer to it.
     */
    erasedAt: integer("erased_at"),
    /** When comments were closed; existing comments stay. */
    commentsClosedAt: integer("comments_closed_at"),
    likesCount: integer("likes_count").notNull().default(0),
    commentsCount: integer("comments_count").notNull().default(0),
    /** The team member who published it; null if the author did. */
    actedBy: text("acted_by"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("posts_author").on(table.authorId, table.publishedAt, table.id),
    index("posts_recent").on(table.publishedAt, table.id),
    // Posts of one author for lists. The last three columns only let a list read the index alone.
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

/** Any one rule that applies opens the post. A plan rule names its plan; a price rule its amount. */
export const postAccessRules = sqliteTable(
  "post_access_rules",
  {
    id: text("id").primaryKey(),
    postId: text("post_id").notNull(),
    kind: text("kind", { enum: ["public", "followers", "subscribers", "plan", "price"] }).notNull(),
    planId: text("plan_id"),
    amountCents: integer("amount_cents"),
    /** If null, it opens with the post. */
    opensAt: integer("opens_at"),
    /** When the opening of a rule with `opensAt` was announced. */
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
 * A poll under a post, for everyone who can see the post. After the first vote the database refuses
 * another question.
 */
export const postPolls = sqliteTable("post_polls", {
  postId: text("post_id").primaryKey(),
  question: text("question").notNull(),
  isMultiple: integer("is_multiple", { mode: "boolean" }).notNull(),
  /** If null, it never closes. */
  closesAt: integer("closes_at"),
  /** People who voted; a trigger updates it. */
  votersCount: integer("voters_count").notNull().default(0),
});

export const postPollOptions = sqliteTable(
  "post_poll_options",
  {
    postId: text("post_id").notNull(),
    /** From 0. */
    position: integer("position").notNull(),
    label: text("label").notNull(),
    /** A trigger updates it. */
    votesCount: integer("votes_count").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.postId, table.position] })],
);

/** One row per person, whatever they chose and however often they changed it. */
export const postPollVotes = sqliteTable(
  "post_poll_votes",
  {
    postId: text("post_id").notNull(),
    personId: text("person_id").notNull(),
    /** One bit per option: 1 << position. */
    choices: integer("choices").notNull(),
    votedAt: integer("voted_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.personId] }),
    index("post_poll_votes_person").on(table.personId),
  ],
);

/** One row, updated by triggers: how many posts are published, so that totals need no count. */
export const postTotals = sqliteTable("post_totals", {
  id: integer("id").primaryKey(),
  publishedCount: integer("published_count").notNull().default(0),
});
