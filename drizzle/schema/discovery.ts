import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Which row of the full-text index `post_search` is which post's; `seq` grows with publication, so
 * that the index gives the newest first by itself. Kept by triggers; each change of `revision`
 * writes the row of the index anew.
 */
export const searchablePosts = sqliteTable("searchable_posts", {
  seq: integer("seq").primaryKey({ autoIncrement: true }),
  postId: text("post_id").notNull().unique(),
  revision: integer("revision").notNull().default(0),
});

/**
 * The same for `creator_search` and `creator_trigrams`, whose rows are numbered `seq - tier *
 * 2^32`: who is followed by twice as many is a tier up, so that both indexes give the most followed
 * first by themselves.
 */
export const searchableCreators = sqliteTable("searchable_creators", {
  seq: integer("seq").primaryKey({ autoIncrement: true }),
  personId: text("person_id").notNull().unique(),
  tier: integer("tier").notNull().default(0),
  revision: integer("revision").notNull().default(0),
});

/**
 * A rollup of the posts that everyone may read, a row for each facet that a post has (see
 * discovery/rules.ts): any filter is one range of an index.
 */
export const exploreEntries = sqliteTable(
  "explore_entries",
  {
    facet: text("facet").notNull(),
    postId: text("post_id").notNull(),
    /** Since when everyone may read it. */
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
 * What the rollup has to look at again: a post, or every post of an author after `after`. Marked by
 * triggers, worked off by cron.
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
