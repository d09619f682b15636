import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * A seller's identity details, as a person or a company. One row per person; decisions are stored
 * with it.
 */
export const documents = sqliteTable(
  "documents",
  {
    personId: text("person_id").primaryKey(),
    status: text("status", { enum: ["submitted", "contested", "approved", "rejected"] }).notNull(),
    /** CPF of the person, or of the company's representative; digits only. */
    cpf: text("cpf").notNull(),
    fullName: text("full_name").notNull(),
    /** ISO date, `1990-12-31`. */
    birthDate: text("birth_date").notNull(),
    /**
     * The birth date that the person entered, if their document showed a later one. `birth_date` is
     * then the document's. Retained for staff whatever is sent later.
     */
    statedBirthDate: text("told_birth_date"),
    /** The text that the person reads, and the code of its reason. */
    rejectionReason: text("rejection_reason"),
    rejectionCode: text("rejection_code"),
    submittedAt: integer("submitted_at").notNull(),
    decidedAt: integer("decided_at"),
    decidedBy: text("decided_by"),
    /**
     * Until when the tax id stays reserved while a file is requested again, whatever a contestant
     * claims. Null if they never had the tax id, or have it.
     */
    numberUntil: integer("number_until"),
    /**
     * When the account was deleted. Documents are then retained only because the law requires it,
     * and the tax id can be used again.
     */
    archivedAt: integer("archived_at"),
    /** When one of the files last changed. A decision applies to the files that were seen. */
    filesAt: integer("files_at"),
    /**
     * ISO date: the expiry of the approved document, as the moderator read it; null if it does not
     * expire.
     */
    expiresOn: text("expires_on"),
    /** When the person was notified of the next deadline or document expiry. */
    remindedAt: integer("reminded_at"),
    /** The company's CNPJ and registered name; both null for a person. */
    cnpj: text("cnpj"),
    companyName: text("company_name"),
    /** The seller's name for joins: the company's, or else the person's. */
    sellerName: text("seller_name").generatedAlwaysAs(sql`COALESCE(company_name, full_name)`, {
      mode: "virtual",
    }),
    taxKind: text("tax_kind", { enum: ["cpf", "cnpj"] }).generatedAlwaysAs(
      sql`CASE WHEN cnpj IS NULL THEN 'cpf' ELSE 'cnpj' END`,
      { mode: "virtual" },
    ),
    taxId: text("tax_id").generatedAlwaysAs(sql`COALESCE(cnpj, cpf)`, { mode: "virtual" }),
  },
  (table) => [
    index("documents_expiring")
      .on(table.expiresOn)
      .where(sql`status = 'approved' AND expires_on IS NOT NULL`),
    // A new document sent while the old one is valid. It waits for a moderator like any other.
    index("documents_renewed")
      .on(table.filesAt)
      .where(sql`files_at > decided_at`),
    index("documents_status").on(table.status, table.submittedAt),
    // One person may represent several companies; the moderator sees the others.
    index("documents_cpf").on(table.cpf),
    // A rejected attempt releases the tax id, so that a stranger who typed it cannot block its
    // owner. A contestant does not have it yet.
    uniqueIndex("documents_tax_id")
      .on(table.taxId)
      .where(sql`status IN ('submitted', 'approved') AND archived_at IS NULL`),
    index("documents_contested")
      .on(table.taxId)
      .where(sql`status = 'contested'`),
    index("documents_number_kept")
      .on(table.taxId)
      .where(sql`number_until IS NOT NULL`),
    index("documents_archived")
      .on(table.archivedAt)
      .where(sql`archived_at IS NOT NULL`),
  ],
);

/**
 * A photo or PDF of a document. The row is inserted before its bytes (R2,
 * `documents/<person>/<id>`) and deleted after them. So no bytes exist without a row.
 */
export const documentFiles = sqliteTable(
  "document_files",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    kind: text("kind", {
      enum: ["id_front", "id_back", "passport", "id_pdf", "selfie", "company_card"],
    }).notNull(),
    contentType: text("content_type", { enum: ["application/pdf", "image/webp"] }).notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    state: text("state", { enum: ["arriving", "kept", "removed"] }).notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("document_files_person").on(table.personId),
    uniqueIndex("document_files_one_a_kind")
      .on(table.personId, table.kind)
      .where(sql`state = 'kept'`),
  ],
);

/**
 * Answers of the registry, or of a moderator who looked it up, about a tax id. Each answer is a
 * row. It is never changed, and never deleted while its documents exist.
 */
export const registryAnswers = sqliteTable(
  "registry_answers",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    taxKind: text("tax_kind", { enum: ["cpf", "cnpj"] }).notNull(),
    taxId: text("tax_id").notNull(),
    situation: text("situation", {
      enum: ["regular", "suspended", "canceled", "dead", "not_found"],
    }).notNull(),
    /** The holder's name in the registry; null if it was not given. */
    name: text("name"),
    /** The name of the registry port, or `moderator`. */
    source: text("source").notNull(),
    /** The moderator who asked; null if the lookup was automatic. */
    askedBy: text("asked_by"),
    answeredAt: integer("answered_at").notNull(),
  },
  (table) => [index("registry_answers_person").on(table.personId, table.taxId, table.answeredAt)],
);

/**
 * Audit log of staff who opened a file, or the details (no file). A row is never changed, and never
 * deleted while its documents exist.
 */
export const documentViews = sqliteTable(
  "document_views",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    fileId: text("file_id").notNull(),
    kind: text("kind").notNull(),
    viewerId: text("viewer_id").notNull(),
    viewedAt: integer("viewed_at").notNull(),
  },
  (table) => [index("document_views_person").on(table.personId, table.viewedAt)],
);
