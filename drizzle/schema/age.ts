import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * The last age check of each person. Stores only its yes or no: never a document, a birth date or a
 * photo.
 */
export const ageChecks = sqliteTable(
  "age_checks",
  {
    personId: text("person_id").primaryKey(),
    /** The provider's id of the check; it does not identify the person. */
    id: text("id").notNull(),
    provider: text("provider").notNull(),
    begunAt: integer("begun_at").notNull(),
    /** After this the answer no longer counts. */
    expiresAt: integer("expires_at").notNull(),
    answer: text("answer", { enum: ["yes", "no"] }),
    answeredAt: integer("answered_at"),
  },
  (table) => [uniqueIndex("age_checks_id").on(table.id)],
);
