import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Moderators' actions against accounts, and their reasons; append-only by trigger. */
export const moderationActions = sqliteTable(
  "moderation_actions",
  {
    id: text("id").primaryKey(),
    moderatorId: text("moderator_id").notNull(),
    personId: text("person_id").notNull(),
    act: text("act", { enum: ["ban", "unban"] }).notNull(),
    /** As the person reads it; empty when a ban ends. */
    reason: text("reason").notNull().default(""),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("moderation_actions_person").on(table.personId, table.createdAt)],
);
