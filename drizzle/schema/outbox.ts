import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Messages about committed changes. Inserted in the batch of the command; swept until handled. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: text("id").primaryKey(),
    type: text("type").notNull(),
    payload: text("payload", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Progress of a message to many people, page after page: the last person notified. */
    progress: text("progress"),
    attempts: integer("attempts").notNull().default(0),
    /**
     * Until when (real time) it counts as queued and is not enqueued again; null if it is not in a
     * queue.
     */
    enqueuedUntil: integer("enqueued_until"),
    handledAt: integer("handled_at"),
    quarantinedAt: integer("quarantined_at"),
    quarantineReason: text("quarantine_reason"),
    /** Real time, not the test clock: the age of the backlog is an operational fact. */
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("outbox_quarantined")
      .on(table.quarantinedAt, table.id)
      .where(sql`quarantined_at IS NOT NULL AND handled_at IS NULL`),
    index("outbox_waiting")
      .on(
        sql`CASE WHEN enqueued_until > created_at THEN enqueued_until ELSE created_at END`,
        table.id,
      )
      .where(sql`handled_at IS NULL AND quarantined_at IS NULL`),
  ],
);
