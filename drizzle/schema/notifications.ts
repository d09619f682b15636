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

/**
 * How many notifications of a person are unread. Triggers of `notifications` write it; nobody else
 * does. Without a row there are none.
 */
export const unreadNotifications = sqliteTable("unread_notifications", {
  personId: text("person_id").primaryKey(),
  count: integer("count").notNull(),
});

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

/** Posts about which a person gets no notification, except where somebody mentions them. */
export const postMutes = sqliteTable(
  "post_mutes",
  {
    personId: text("person_id").notNull(),
    postId: text("post_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.personId, table.postId] }),
    index("post_mutes_post").on(table.postId),
  ],
);

/** A person's time zone and quiet hours. Without a row: São Paulo, and no quiet hours. */
export const notificationHours = sqliteTable("notification_hours", {
  personId: text("person_id").primaryKey(),
  /** An IANA name. */
  timeZone: text("time_zone").notNull(),
  /** Minutes after midnight; both null without quiet hours. The end may be earlier than the start. */
  quietFromMinute: integer("quiet_from_minute"),
  quietUntilMinute: integer("quiet_until_minute"),
});

/**
 * Emails and pushes that can be switched off, one row per person, message and channel. Inserted in
 * the batch that marks the message as delivered, and sent from here.
 */
export const notificationDeliveries = sqliteTable(
  "notification_deliveries",
  {
    /** Names person, message and channel, so that each is sent once. */
    key: text("key").primaryKey(),
    personId: text("person_id").notNull(),
    channel: text("channel").notNull(),
    kind: text("kind").notNull(),
    /** Who it comes from: a member or a creator. Null where that is nobody. */
    fromId: text("from_id"),
    /** The post that it is about, or null. */
    postId: text("post_id"),
    /** The group of the row in the list; null where it stands alone. */
    groupKey: text("group_key"),
    /** The device of a push. */
    deviceId: text("device_id"),
    /** What it says. Null for a newsletter, which is written when it is sent. */
    content: text("content", { mode: "json" }).$type<Record<string, string>>(),
    /** When it may be sent next. */
    dueAt: integer("due_at").notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** When it was sent, or was not wanted any more. */
    endedAt: integer("ended_at"),
    failedAt: integer("failed_at"),
    failure: text("failure"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("notification_deliveries_due")
      .on(table.dueAt)
      .where(sql`ended_at IS NULL AND failed_at IS NULL`),
    index("notification_deliveries_due_first")
      .on(table.dueAt)
      .where(sql`ended_at IS NULL AND failed_at IS NULL AND kind <> 'post'`),
    index("notification_deliveries_ended")
      .on(table.endedAt)
      .where(sql`ended_at IS NOT NULL`),
    index("notification_deliveries_failed")
      .on(table.failedAt, table.key)
      .where(sql`failed_at IS NOT NULL`),
    index("notification_deliveries_group")
      .on(table.personId, table.groupKey, table.createdAt)
      .where(sql`group_key IS NOT NULL`),
    index("notification_deliveries_person").on(table.personId),
    index("notification_deliveries_from")
      .on(table.fromId)
      .where(sql`from_id IS NOT NULL`),
    index("notification_deliveries_post")
      .on(table.postId)
      .where(sql`post_id IS NOT NULL`),
  ],
);

/** Creators whose posts a person does not want by email. */
export const newsletterStops = sqliteTable(
  "newsletter_stops",
  {
    personId: text("person_id").notNull(),
    creatorId: text("creator_id").notNull(),
    stoppedAt: integer("stopped_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.personId, table.creatorId] }),
    index("newsletter_stops_creator").on(table.creatorId),
  ],
);

/** Browsers that a person asked to show pushes. */
export const pushDevices = sqliteTable(
  "push_devices",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    /** The address at the browser's push service. */
    endpoint: text("endpoint").notNull(),
    /** The browser's public key and secret (RFC 8291), in base64url. */
    p256dh: text("p256dh").notNull(),
    auth: text("auth").notNull(),
    /** Browser and system, as the list of devices names them. */
    label: text("label").notNull(),
    createdAt: integer("created_at").notNull(),
    lastPushedAt: integer("last_pushed_at"),
    /** The session that asked. The device goes with it. */
    sessionId: text("session_id"),
  },
  (table) => [
    uniqueIndex("push_devices_endpoint").on(table.endpoint),
    index("push_devices_person").on(table.personId, table.createdAt),
    index("push_devices_session")
      .on(table.sessionId)
      .where(sql`session_id IS NOT NULL`),
  ],
);

/** Which member of staff sent a failed delivery again. */
export const deliveryRetries = sqliteTable(
  "delivery_retries",
  {
    id: text("id").primaryKey(),
    /** The row's number among the deliveries or the outbox messages: a key would name the person. */
    deliveryNumber: text("delivery_number").notNull(),
    moderatorId: text("moderator_id").notNull(),
    /** What it had failed for. */
    failure: text("failure").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("delivery_retries_created").on(table.createdAt, table.id)],
);

/**
 * Addresses whose mailbox refused our emails for good, or marked one as spam. Without both times
 * the owner asked for emails again: only what happened after that stops them.
 */
export const stoppedAddresses = sqliteTable("stopped_addresses", {
  /** In lower case. */
  address: text("address").primaryKey(),
  bouncedAt: integer("bounced_at"),
  complainedAt: integer("complained_at"),
  resumedAt: integer("resumed_at"),
});
