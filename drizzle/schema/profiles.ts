import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/** A person's public face. `isCreator` is set when the person opens a space. */
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
    /** A category of profiles/schema.ts, chosen by whoever creates; empty when none was. */
    category: text("category").notNull().default(""),
    avatarMediaId: text("avatar_media_id"),
    bannerMediaId: text("banner_media_id"),
    /** JSON of `ProfileLink[]`, in the order in which they are shown. */
    links: text("links").notNull().default("[]"),
    /** What the page shows is for adults: only where adult spaces are switched on. */
    isAdult: integer("is_adult", { mode: "boolean" }).notNull().default(false),
    isCreator: integer("is_creator", { mode: "boolean" }).notNull().default(false),
    followersCount: integer("followers_count").notNull().default(0),
    subscribersCount: integer("subscribers_count").notNull().default(0),
    postsCount: integer("posts_count").notNull().default(0),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("profiles_username").on(table.username),
    index("profiles_creators").on(table.isCreator, table.followersCount, table.personId),
    index("profiles_category")
      .on(table.category, table.followersCount, table.personId)
      .where(sql`is_creator = 1`),
    // Whether anybody shows a medium, for the sweeper.
    index("profiles_avatar").on(table.avatarMediaId),
    index("profiles_banner").on(table.bannerMediaId),
    // The sitemap goes through everyone who creates by id.
    index("profiles_sitemap")
      .on(table.personId)
      .where(sql`is_creator = 1`),
    // The few that are not for everybody: who asks it about everyone else reads nothing.
    index("profiles_adult")
      .on(table.personId)
      .where(sql`is_adult = 1`),
  ],
);

/**
 * Usernames that somebody had. For a year each leads to their page, and triggers on `profiles`
 * refuse it to everybody else.
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

/** Whose posts a person does not want in their own lists. The muted one notices nothing. */
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
