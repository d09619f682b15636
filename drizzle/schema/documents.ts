import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * What a seller tells about who they are, a person or a company; one row a person, its decisions
 * kept beside it.
 */
export const documents = sqliteTable(
  "documents",
  {
    personId: text("person_id").primaryKey(),
    status: text("status", { enum: ["submitted", "contested", "approved", "rejected"] }).notNull(),
    /** Of the person, or of who is responsible for the company; digits only. */
    cpf: text("cpf").notNull(),
    fullName: text("full_name").notNull(),
    /** ISO date, `1990-12-31`. */
    birthDate: text("birth_date").notNull(),
    /**
     * The day that the person told, where the paper showed that they were younger and `birth_date`
     * is what it shows; kept for the staff whatever is sent later.
     */
    toldBirthDate: text("told_birth_date"),
    /** The sentences that the person reads, and which of our reasons they are of. */
    rejectionReason: text("rejection_reason"),
    rejectionCode: text("rejection_code"),
    submittedAt: integer("submitted_at").notNull(),
    decidedAt: integer("decided_at"),
    decidedBy: text("decided_by"),
    /**
     * Until when, sent back for a file, they keep the number from who contests it; null where they
     * never had it, or have it.
     */
    numberUntil: integer("number_until"),
    /**
     * Since when they are kept only because the law asks: their person is gone, and the number is
     * free.
     */
    archivedAt: integer("archived_at"),
    /** When a file of theirs last changed; what is decided is what was seen. */
    filesAt: integer("files_at"),
    /**
     * ISO date: the last day of the paper that was approved, as its moderator read it; null for one
     * without end.
     */
    expiresOn: text("expires_on"),
    /** When they were told of the deadline, or of the end of the paper, that is ahead of them now. */
    remindedAt: integer("reminded_at"),
    /** A company's own number and registered name; null, both, for a person. */
    cnpj: text("cnpj"),
    companyName: text("company_name"),
    /** Who sells, in one place for whoever joins: the company, or else the person. */
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
    // A new paper sent while the old one counts: it waits for a moderator as what was newly sent
    // does.
    index("documents_renewed")
      .on(table.filesAt)
      .where(sql`files_at > decided_at`),
    index("documents_status").on(table.status, table.submittedAt),
    // Somebody may answer for more than one company; who decides sees the others.
    index("documents_cpf").on(table.cpf),
    // A rejected attempt frees the number, so that a stranger who typed it cannot keep its owner
    // out; who contests it does not have it yet.
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
 * A photo or PDF of a paper. The row comes before its bytes (R2, `documents/<person>/<id>`) and
 * goes after them, so that no bytes are ever without one.
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
 * What the registry, or a moderator who looked it up, said of a number of somebody's documents:
 * each answer a row, never changed, nor taken away while its documents are there.
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
    /** Whose number it is there; null where it was not said. */
    name: text("name"),
    /** The name of the port, or `createModerator`. */
    source: text("source").notNull(),
    /** The moderator who asked; null where nobody did. */
    askedBy: text("asked_by"),
    answeredAt: integer("answered_at").notNull(),
  },
  (table) => [index("registry_answers_person").on(table.personId, table.taxId, table.answeredAt)],
);

/**
 * Who of the staff opened which file, or the details (of no file), and when: a line is never
 * changed, nor taken away while its documents are there.
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
