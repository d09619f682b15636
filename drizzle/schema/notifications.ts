import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

export const notifications = sqliteTable(
  "notifications",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    /** The type of the outbox message. */
    kind: text("kind").notNull(),
    /** The text as shown, and the path on this site that it links to. */
    body: text("body").notNull(),
    path: text("path").notNull(),
    /** Derived from the outbox message, so that a repeated delivery makes one row. */
    sourceKey: text("source_key").notNull(),
    readAt: integer("read_at"),
    /** When it came; of a group, when the last one joined. */
    createdAt: integer("created_at").notNull(),
    /** The part of the list that it is shown in. */
    section: text("section").notNull().default("account"),
    /** What the row's group is about; null for a notification that stands alone. */
    groupKey: text("group_key"),
    groupCount: integer("group_count").notNull().default(1),
    groupSince: integer("group_since"),
    /** Whose name the text of a group begins with, and that name. */
    groupActorId: text("group_actor_id"),
    groupActorName: text("group_actor_name"),
  },
  (table) => [
    uniqueIndex("notifications_source").on(table.sourceKey),
    index("notifications_person").on(table.personId, table.createdAt),
    index("notifications_section").on(table.personId, table.section, table.createdAt),
    index("notifications_unread")
      .on(table.personId, table.createdAt)
      .where(sql`read_at IS NULL`),
    index("notifications_open_group")
      .on(table.personId, table.groupKey)
      .where(sql`read_at IS NULL AND group_key IS NOT NULL`),
    index("notifications_group_actor")
      .on(table.groupActorId)
      .where(sql`group_actor_id IS NOT NULL`),
  ],
);

/** What a person chose: whether a kind of notification comes in a channel. */
export const notificationChoices = sqliteTable(
  "notification_choices",
  {
    personId: text("person_id").notNull(),
    kind: text("kind").notNull(),
    channel: text("channel").notNull(),
    isOn: integer("is_on", { mode: "boolean" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.kind, table.channel] })],
);

/** How often a person gets what is unread by email, and until when it was already in one. */
export const notificationDigests = sqliteTable(
  "notification_digests",
  {
    personId: text("person_id").primaryKey(),
    rhythm: text("rhythm", { enum: ["daily", "weekly"] }).notNull(),
    /** When the next one is due. */
    dueAt: integer("due_at").notNull(),
    /** Notifications until then were in a digest, or came before the choice. */
    sentUntil: integer("sent_until").notNull(),
  },
  (table) => [index("notification_digests_due").on(table.dueAt)],
);
