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
    rejectionReason: text("rejection_reason"),
    submittedAt: integer("submitted_at").notNull(),
    decidedAt: integer("decided_at"),
    decidedBy: text("decided_by"),
    /** Since when they are kept only because the law asks: their person is gone, and the number is free. */
    archivedAt: integer("archived_at"),
    /** A company's own number and registered name; null, both, for a person. */
    cnpj: text("cnpj"),
    companyName: text("company_name"),
    /** Who sells, in one place for whoever joins: the company, or else the person. */
    sellerName: text("seller_name").generatedAlwaysAs(sql`COALESCE(company_name, full_name)`, { mode: "virtual" }),
    taxKind: text("tax_kind", { enum: ["cpf", "cnpj"] }).generatedAlwaysAs(sql`CASE WHEN cnpj IS NULL THEN 'cpf' ELSE 'cnpj' END`, { mode: "virtual" }),
    taxId: text("tax_id").generatedAlwaysAs(sql`COALESCE(cnpj, cpf)`, { mode: "virtual" }),
  },
  (table) => [
    index("documents_status").on(table.status, table.submittedAt),
    // Somebody may answer for more than one company; who decides sees the others.
    index("documents_cpf").on(table.cpf),
    // A rejected attempt frees the number, so that a stranger who typed it cannot keep its owner out.
    uniqueIndex("documents_tax_id").on(table.taxId).where(sql`status <> 'rejected' AND archived_at IS NULL`),
  ],
);
