import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/** A person's public profile. `isCreator` is set when the person opens a space. */
export const profiles = sqliteTable(
  "profiles",
  {
    personId: text("person_id").primaryKey(),
    /** Lower-case, so that uniqueness ignores case. */
    username: text("username").notNull(),
    name: text("name").notNull(),
    bio: text("bio").notNull().default(""),
    city: text("city").notNull().default(""),
    /** What this creator makes, in two or three words: "rabeca e forró". */
    craft: text("craft").notNull().default(""),
    /** A category of profiles/schema.ts, chosen by the creator; empty if none. */
    category: text("category").notNull().default(""),
    avatarMediaId: text("avatar_media_id"),
    bannerMediaId: text("banner_media_id"),
    /** JSON of `ProfileLink[]`, in the order in which they are shown. */
    links: text("links").notNull().default("[]"),
    /** Whether the page is for adults; it is shown only where adult spaces are enabled. */
    isAdult: integer("is_adult", { mode: "boolean" }).notNull().default(false),
    isCreator: integer("is_creator", { mode: "boolean" }).notNull().default(false),
    followersCount: integer("followers_count").notNull().default(0),
    subscribersCount: integer("subscribers_count").notNull().default(0),
    postsCount: integer("posts_count").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    /** When the creator hid the list of first steps; null while it is shown. */
    firstStepsClosedAt: integer("first_steps_closed_at"),
  },
  (table) => [
    uniqueIndex("profiles_username").on(table.username),
    index("profiles_creators").on(table.isCreator, table.followersCount, table.personId),
    index("profiles_category")
      .on(table.category, table.followersCount, table.personId)
      .where(sql`is_creator = 1`),
    // Whether a profile uses a media row, for the sweeper.
    index("profiles_avatar").on(table.avatarMediaId),
    index("profiles_banner").on(table.bannerMediaId),
    // The sitemap reads every creator by id.
    index("profiles_sitemap")
      .on(table.personId)
      .where(sql`is_creator = 1`),
    // The few adult profiles, so that the query about everyone else reads no rows.
    index("profiles_adult")
      .on(table.personId)
      .where(sql`is_adult = 1`),
  ],
);

/**
 * Earlier usernames. For a year each redirects to its owner's page, and triggers on `profiles`
 * refuse it to anyone else.
 */
export const formerUsernames = sqliteTable(
  "former_usernames",
  {
    username: text("username").primaryKey(),
    personId: text("person_id").notNull(),
    leftAt: integer("left_at").notNull(),
    heldUntil: integer("held_until").notNull(),
  },
  (table) => [index("former_usernames_person").on(table.personId, table.heldUntil)],
);

export const follows = sqliteTable(
  "follows",
  {
    followerId: text("follower_id").notNull(),
    creatorId: text("creator_id").notNull(),
    createdAt: integer("created_at").notNull(),
    /** The slug of the creator's link that the follower came by; null for none. */
    linkSlug: text("link_slug"),
  },
  (table) => [
    primaryKey({ columns: [table.followerId, table.creatorId] }),
    index("follows_creator").on(table.creatorId, table.createdAt),
    index("follows_audience").on(table.creatorId, table.followerId),
  ],
);

export const blocks = sqliteTable(
  "blocks",
  {
    blockerId: text("blocker_id").notNull(),
    blockedId: text("blocked_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blockerId, table.blockedId] }),
    index("blocks_blocked").on(table.blockedId),
  ],
);

/** People whose posts a person hides from their own lists. The muted person cannot see it. */
export const mutes = sqliteTable(
  "mutes",
  {
    muterId: text("muter_id").notNull(),
    mutedId: text("muted_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.muterId, table.mutedId] }),
    index("mutes_latest").on(table.muterId, table.createdAt),
  ],
);

/**
 * Public pages whose stored copies are stale: an outbox of purges, by the tag of their copies.
 * Triggers write it in the transaction of each change that a visitor can see, whatever command
 * makes it.
 */
export const pageChanges = sqliteTable("page_changes", {
  /** `space:<username>`, or `explore` for lists of creators. */
  tag: text("tag").primaryKey(),
  /** Incremented by each change, so that a purge forgets only the changes that it read. */
  version: integer("version").notNull(),
});
