import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * The last age check of each person, and nothing of it but its yes or no: never a document, a birth
 * date or a face.
 */
export const ageChecks = sqliteTable(
  "age_checks",
  {
    personId: text("person_id").primaryKey(),
    /** What the provider knows the check by, in place of the person. */
    id: text("id").notNull(),
    provider: text("provider").notNull(),
    begunAt: integer("begun_at").notNull(),
    /** After this an answer counts no more. */
    expiresAt: integer("expires_at").notNull(),
    answer: text("answer", { enum: ["yes", "no"] }),
    answeredAt: integer("answered_at"),
  },
  (table) => [uniqueIndex("age_checks_id").on(table.id)],
);
