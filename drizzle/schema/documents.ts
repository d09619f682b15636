import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** What a seller tells about who they are, a person or a company; one row a person, its decisions kept beside it. */
export const documents = sqliteTable(
  "documents",
  {
    personId: text("person_id").primaryKey(),
    status: text("status", { enum: ["submitted", "approved", "rejected"] }).notNull(),
    /** Of the person, or of who is responsible for the company; digits only. */
    cpf: text("cpf").notNull(),
    fullName: text("full_name").notNull(),
    /** ISO date, `1990-12-31`. */
    birthDate: text("birth_date").notNull(),
    /** The sentences that the person reads, and which of our reasons they are of. */
    rejectionReason: text("rejection_reason"),
    rejectionCode: text("rejection_code"),
    submittedAt: integer("submitted_at").notNull(),
    decidedAt: integer("decided_at"),
    decidedBy: text("decided_by"),
    /** Since when they are kept only because the law asks: their person is gone, and the number is free. */
    archivedAt: integer("archived_at"),
    /** When a file of theirs last changed; what is decided is what was seen. */
    filesAt: integer("files_at"),
    /** ISO date: the last day of the paper that was approved, as its moderator read it; null for one without end. */
    expiresOn: text("expires_on"),
    /** When they were told of the deadline, or of the end of the paper, that is ahead of them now. */
    remindedAt: integer("reminded_at"),
    /** A company's own number and registered name; null, both, for a person. */
    cnpj: text("cnpj"),
    companyName: text("company_name"),
    /** Who sells, in one place for whoever joins: the company, or else the person. */
    sellerName: text("seller_name").generatedAlwaysAs(sql`COALESCE(company_name, full_name)`, { mode: "virtual" }),
    taxKind: text("tax_kind", { enum: ["cpf", "cnpj"] }).generatedAlwaysAs(sql`CASE WHEN cnpj IS NULL THEN 'cpf' ELSE 'cnpj' END`, { mode: "virtual" }),
    taxId: text("tax_id").generatedAlwaysAs(sql`COALESCE(cnpj, cpf)`, { mode: "virtual" }),
  },
  (table) => [
    index("documents_expiring").on(table.expiresOn).where(sql`status = 'approved' AND expires_on IS NOT NULL`),
    index("documents_status").on(table.status, table.submittedAt),
    // Somebody may answer for more than one company; who decides sees the others.
    index("documents_cpf").on(table.cpf),
    // A rejected attempt frees the number, so that a stranger who typed it cannot keep its owner out.
    uniqueIndex("documents_tax_id").on(table.taxId).where(sql`status <> 'rejected' AND archived_at IS NULL`),
  ],
);

/** A photo or PDF of a paper. The row comes before its bytes (R2, `documents/<person>/<id>`) and goes after them, so that no bytes are ever without one. */
export const documentFiles = sqliteTable(
  "document_files",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    kind: text("kind", { enum: ["id_front", "id_back", "passport", "id_pdf", "selfie", "company_card"] }).notNull(),
    contentType: text("content_type", { enum: ["application/pdf", "image/webp"] }).notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    state: text("state", { enum: ["arriving", "kept", "removed"] }).notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("document_files_person").on(table.personId), uniqueIndex("document_files_one_a_kind").on(table.personId, table.kind).where(sql`state = 'kept'`)],
);

/** Who of the staff opened which file, and when: a line is never changed, nor taken away while its documents are there. */
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
