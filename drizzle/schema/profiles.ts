import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

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
    avatarMediaId: text("avatar_media_id"),
    bannerMediaId: text("banner_media_id"),
    isCreator: integer("is_creator", { mode: "boolean" }).notNull().default(false),
    followersCount: integer("followers_count").notNull().default(0),
    subscribersCount: integer("subscribers_count").notNull().default(0),
    postsCount: integer("posts_count").notNull().default(0),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("profiles_username").on(table.username),
    index("profiles_creators").on(table.isCreator, table.followersCount),
  ],
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
