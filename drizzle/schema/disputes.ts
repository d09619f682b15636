import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** A seller's answer to a dispute. One per dispute, saved as a draft and submitted once. */
export const disputeAnswers = sqliteTable(
  "dispute_answers",
  {
    disputeId: text("dispute_id").primaryKey(),
    /** `acceptance` concedes the dispute. */
    kind: text("kind", { enum: ["evidence", "acceptance"] }).notNull(),
    /**
     * `submitted` waits for the provider. `by_hand` waits for staff, if the provider's API takes no
     * answers. `refused` came too late, or the provider rejected it.
     */
    status: text("status", {
      enum: ["draft", "submitted", "by_hand", "sent", "refused"],
    }).notNull(),
    text: text("text").notNull(),
    writtenBy: text("written_by").notNull(),
    submittedAt: integer("submitted_at"),
    settledAt: integer("settled_at"),
    failureCode: text("failure_code"),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("dispute_answers_waiting")
      .on(table.status, table.submittedAt)
      .where(sql`status IN ('submitted', 'by_hand')`),
  ],
);

/**
 * A file of a dispute answer. The row is inserted before its bytes (R2, `disputes/<dispute>/<id>`)
 * and deleted after them. So no bytes exist without a row.
 */
export const disputeFiles = sqliteTable(
  "dispute_files",
  {
    id: text("id").primaryKey(),
    disputeId: text("dispute_id").notNull(),
    kind: text("kind", {
      enum: ["receipt", "conversation", "access", "policy", "other"],
    }).notNull(),
    name: text("name").notNull(),
    contentType: text("content_type", {
      enum: ["application/pdf", "image/jpeg", "image/png"],
    }).notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    state: text("state", { enum: ["arriving", "kept", "removed"] }).notNull(),
    addedBy: text("added_by").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("dispute_files_dispute").on(table.disputeId),
    uniqueIndex("dispute_files_one_a_kind")
      .on(table.disputeId, table.kind)
      .where(sql`state = 'kept'`),
  ],
);
