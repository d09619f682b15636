import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** A message that a creator writes once, for many people. */
export const broadcasts = sqliteTable(
  "broadcasts",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    /** The team member who wrote it; null for the creator. */
    writtenById: text("written_by_id"),
    /** May contain `{nome}`. */
    body: text("body").notNull(),
    /** A segment of broadcasts/rules.ts. */
    segment: text("segment").notNull(),
    /** The plans of the segment `plans`; empty for the others. */
    planIds: text("plan_ids", { mode: "json" }).$type<string[]>().notNull(),
    /** Its files are covered until a click. */
    isSensitive: integer("is_sensitive", { mode: "boolean" }).notNull().default(false),
    /** What its files cost each recipient (centavos); null for files that are not sold. */
    priceCents: integer("price_cents"),
    /** `draft`, `scheduled`, `sending`, `sent` or `canceled`. */
    state: text("state").notNull(),
    /** When it is, or was, to start; null for a draft. */
    sendAt: integer("send_at"),
    /** When the recipients were fixed. */
    startedAt: integer("started_at"),
    /** When the last recipient was handled, or it was canceled. */
    endedAt: integer("ended_at"),
    /** The last recipient that was handled; recipients are handled in the order of their ids. */
    progress: text("progress"),
    /** Until when its next page counts as queued (real time). */
    enqueuedUntil: integer("enqueued_until"),
    recipientCount: integer("recipient_count").notNull().default(0),
    deliveredCount: integer("delivered_count").notNull().default(0),
    skippedCount: integer("skipped_count").notNull().default(0),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("broadcasts_creator").on(table.creatorId, table.createdAt, table.id),
    index("broadcasts_day")
      .on(table.creatorId, table.sendAt)
      .where(sql`send_at IS NOT NULL`),
    index("broadcasts_due")
      .on(table.sendAt)
      .where(sql`state = 'scheduled'`),
    index("broadcasts_sending")
      .on(table.enqueuedUntil)
      .where(sql`state = 'sending'`),
  ],
);

/** Who was in the segment when the broadcast started. One row a person, so one message a person. */
export const broadcastRecipients = sqliteTable(
  "broadcast_recipients",
  {
    broadcastId: text("broadcast_id").notNull(),
    personId: text("person_id").notNull(),
    /** Where the message was delivered; null before that, and for somebody who was skipped. */
    conversationId: text("conversation_id"),
    /** The message's seq in that conversation. */
    seq: integer("seq"),
  },
  (table) => [
    primaryKey({ columns: [table.broadcastId, table.personId] }),
    index("broadcast_recipients_person").on(table.personId),
  ],
);
