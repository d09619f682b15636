import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/**
 * A sealed month whose fees were invoiced, once for ever. Only how many of its files were handed in
 * changes, and once all are, who took them to the city hall, once; by trigger.
 */
export const fiscalBatches = sqliteTable("fiscal_batches", {
  /** `YYYY-MM` in São Paulo. */
  month: text("month").primaryKey(),
  startsAt: integer("starts_at").notNull(),
  /** The first instant after it. */
  endsAt: integer("ends_at").notNull(),
  /** By how much the platform's fees grew in it, in centavos. */
  feesCents: integer("fees_cents").notNull(),
  /** What was invoiced of them and of what earlier months left, and what is left for the next. */
  invoicedCents: integer("invoiced_cents").notNull(),
  leftCents: integer("left_cents").notNull(),
  invoicesCount: integer("invoices_count").notNull(),
  /** The numbers of its invoices; null where there are none. */
  firstNumber: integer("first_number"),
  lastNumber: integer("last_number"),
  /** ISO date, as every invoice of it is dated. */
  issuedOn: text("issued_on").notNull(),
  filesHandedIn: integer("files_handed_in").notNull().default(0),
  createdAt: integer("created_at").notNull(),
  /** When the last of its files was written. */
  handedInAt: integer("handed_in_at"),
  /** When a moderator said that all of them were taken to the city hall, and who. */
  takenAt: integer("taken_at"),
  takenBy: text("taken_by"),
});

/**
 * What the platform's fees of one creator came to in a month, and the invoice (RPS) of it where
 * there was something to invoice. Append-only by trigger.
 */
export const fiscalFees = sqliteTable(
  "fiscal_fees",
  {
    month: text("month").notNull(),
    creatorId: text("creator_id").notNull(),
    /** Charged less returned, in centavos; below zero where more was returned. */
    feeCents: integer("fee_cents").notNull(),
    /** What the month before left. */
    carriedCents: integer("carried_cents").notNull(),
    /** `fee + carried = invoiced + left`, always. */
    invoicedCents: integer("invoiced_cents").notNull(),
    leftCents: integer("left_cents").notNull(),
    /** Of the invoice, one after the other without gaps; null where nothing was invoiced. */
    number: integer("number"),
    /** Who takes the service, as their documents named them that day. */
    takerName: text("taker_name"),
    taxKind: text("tax_kind", { enum: ["cpf", "cnpj"] }),
    taxId: text("tax_id"),
  },
  (table) => [
    primaryKey({ columns: [table.month, table.creatorId] }),
    uniqueIndex("fiscal_fees_number")
      .on(table.number)
      .where(sql`number IS NOT NULL`),
    index("fiscal_fees_creator").on(table.creatorId, table.month),
  ],
);
