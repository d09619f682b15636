import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** What a seller tells about who they are; one row a person, its decisions kept beside it. */
export const documents = sqliteTable(
  "documents",
  {
    personId: text("person_id").primaryKey(),
    status: text("status", { enum: ["submitted", "approved", "rejected"] }).notNull(),
    /** Digits only. */
    cpf: text("cpf").notNull(),
    fullName: text("full_name").notNull(),
    /** ISO date, `1990-12-31`. */
    birthDate: text("birth_date").notNull(),
    rejectionReason: text("rejection_reason"),
    submittedAt: integer("submitted_at").notNull(),
    decidedAt: integer("decided_at"),
    decidedBy: text("decided_by"),
    /** Since when they are kept only because the law asks: their person is gone, and the number is free. */
    archivedAt: integer("archived_at"),
  },
  (table) => [
    index("documents_status").on(table.status, table.submittedAt),
    // A rejected attempt frees the number, so that a stranger who typed it cannot keep its owner out.
    uniqueIndex("documents_cpf").on(table.cpf).where(sql`status <> 'rejected' AND archived_at IS NULL`),
  ],
);
