import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * A person who asked to be deleted. Its states and their transitions are in deletion/rules.ts; a
 * trigger refuses any other word.
 */
export const accountDeletions = sqliteTable(
  "account_deletions",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    status: text("status").notNull(),
    requestedAt: integer("requested_at").notNull(),
    /** Until then the person may change their mind. */
    dueAt: integer("due_at").notNull(),
    /** When the letter of the last days was announced. */
    remindedAt: integer("reminded_at"),
    canceledAt: integer("canceled_at"),
    doneAt: integer("done_at"),
    /** Where the last letter goes, kept from the end until it is written. */
    letterTo: text("letter_to"),
    /** When the last letter was written and the identity provider had forgotten its user. */
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
