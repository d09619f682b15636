import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Maps rows of the full-text index `post_search` to posts. `seq` grows with publication, so that
 * the index returns the newest first. Triggers maintain it; each change of `revision` rewrites the
 * row of the index.
 */
export const searchablePosts = sqliteTable("searchable_posts", {
  seq: integer("seq").primaryKey({ autoIncrement: true }),
  postId: text("post_id").notNull().unique(),
  revision: integer("revision").notNull().default(0),
});

/**
 * The same for `creator_search` and `creator_trigrams`, whose rows are numbered `seq - tier *
 * 2^32`. Twice as many followers is one tier up, so that both indexes return the most followed
 * first.
 */
export const searchableCreators = sqliteTable("searchable_creators", {
  seq: integer("seq").primaryKey({ autoIncrement: true }),
  personId: text("person_id").notNull().unique(),
  tier: integer("tier").notNull().default(0),
  revision: integer("revision").notNull().default(0),
});

/**
 * A rollup of the public posts, with one row per facet of a post (see discovery/rules.ts). Any
 * filter is one range of an index.
 */
export const exploreEntries = sqliteTable(
  "explore_entries",
  {
    facet: text("facet").notNull(),
    postId: text("post_id").notNull(),
    /** When the post became public. */
    openedAt: integer("opened_at").notNull(),
    /** Millionths of `heatScore` in discovery/rules.ts; null without a like or comment. */
    heat: integer("heat"),
  },
  (table) => [
    primaryKey({ columns: [table.facet, table.postId] }),
    index("explore_entries_new").on(table.facet, table.openedAt, table.postId),
    index("explore_entries_rising")
      .on(table.facet, table.heat, table.postId)
      .where(sql`heat IS NOT NULL`),
    index("explore_entries_post").on(table.postId),
  ],
);

/**
 * What the rollup must recompute: one post, or every post of an author after `after`. Triggers add
 * rows; a cron processes them.
 */
export const discoveryDirty = sqliteTable(
  "discovery_dirty",
  {
    kind: text("kind", { enum: ["post", "author"] }).notNull(),
    id: text("id").notNull(),
    after: text("after").notNull().default(""),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);
