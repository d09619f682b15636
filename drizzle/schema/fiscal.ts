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
 * A sealed month whose fees were invoiced, once. Triggers allow two changes only: the number of
 * written files and, once all are written, who delivered them to the city hall.
 */
export const fiscalBatches = sqliteTable("fiscal_batches", {
  /** `YYYY-MM` in São Paulo. */
  month: text("month").primaryKey(),
  startsAt: integer("starts_at").notNull(),
  /** The first instant after the month. */
  endsAt: integer("ends_at").notNull(),
  /** The platform's fees of the month, in centavos. */
  feesCents: integer("fees_cents").notNull(),
  /**
   * The amount invoiced, including what earlier months carried over, and the amount carried to the
   * next.
   */
  invoicedCents: integer("invoiced_cents").notNull(),
  leftCents: integer("left_cents").notNull(),
  invoicesCount: integer("invoices_count").notNull(),
  /** The first and last invoice numbers; null without invoices. */
  firstNumber: integer("first_number"),
  lastNumber: integer("last_number"),
  /** ISO date of every invoice of the batch. */
  issuedOn: text("issued_on").notNull(),
  filesHandedIn: integer("files_handed_in").notNull().default(0),
  createdAt: integer("created_at").notNull(),
  /** When the last file was written. */
  handedInAt: integer("handed_in_at"),
  /** When a moderator confirmed delivery of all files to the city hall, and who. */
  takenAt: integer("taken_at"),
  takenBy: text("taken_by"),
});

/**
 * The platform's fees of one creator in a month, and their invoice (RPS) if there was an amount to
 * invoice. Append-only by trigger.
 */
export const fiscalFees = sqliteTable(
  "fiscal_fees",
  {
    month: text("month").notNull(),
    creatorId: text("creator_id").notNull(),
    /** Fees charged less fees refunded, in centavos; negative if more was refunded. */
    feeCents: integer("fee_cents").notNull(),
    /** The amount carried over from the month before. */
    carriedCents: integer("carried_cents").notNull(),
    /** `fee + carried = invoiced + left`, always. */
    invoicedCents: integer("invoiced_cents").notNull(),
    leftCents: integer("left_cents").notNull(),
    /** The invoice number, consecutive without gaps; null if nothing was invoiced. */
    number: integer("number"),
    /** The recipient of the service, as their documents named them that day. */
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
