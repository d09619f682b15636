import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * A requested account deletion. deletion/rules.ts has its states and transitions; a trigger refuses
 * any other state.
 */
export const accountDeletions = sqliteTable(
  "account_deletions",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    status: text("status").notNull(),
    requestedAt: integer("requested_at").notNull(),
    /** Until then the person may cancel the deletion. */
    dueAt: integer("due_at").notNull(),
    /** When the reminder of the last days was queued. */
    remindedAt: integer("reminded_at"),
    canceledAt: integer("canceled_at"),
    doneAt: integer("done_at"),
    /** The address of the final email, stored from the deletion until that email is sent. */
    letterTo: text("letter_to"),
    /** When the final email was sent and the identity provider had deleted its user. */
    finishedAt: integer("finished_at"),
  },
  (table) => [
    uniqueIndex("account_deletions_one_open")
      .on(table.personId)
      .where(sql`status IN ('requested', 'closing')`),
    index("account_deletions_due").on(table.status, table.dueAt),
    index("account_deletions_person").on(table.personId, table.requestedAt),
  ],
);
