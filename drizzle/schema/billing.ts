import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/** Who pays, as their receipts name them. */
export const billingDetails = sqliteTable(
  "billing_details",
  {
    personId: text("person_id").primaryKey(),
    taxKind: text("tax_kind", { enum: ["cpf", "cnpj"] }).notNull(),
    /** Its characters alone: eleven digits, or fourteen that may be letters. */
    taxId: text("tax_id").notNull(),
    name: text("name").notNull(),
    /** Eight digits. */
    cep: text("cep").notNull(),
    street: text("street").notNull(),
    number: text("number").notNull(),
    complement: text("complement").notNull(),
    district: text("district").notNull(),
    city: text("city").notNull(),
    state: text("state").notNull(),
    /**
     * Since when who sells to them may see name and number, to issue an invoice, because they asked
     * for it; null while they did not.
     */
    forInvoicesAt: integer("for_invoices_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("billing_details_tax_id").on(table.taxId)],
);

/**
 * Cards kept at the provider with their person's consent. A trigger writes one when a subscription
 * first pays by it; here is only what the provider calls it, never its number.
 */
export const savedMethods = sqliteTable(
  "saved_methods",
  {
    /** The provider's name for it. */
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    /**
     * Who keeps it, and by whom alone it pays. Empty for one from before there were two: it is of
     * whoever takes cards.
     */
    provider: text("provider").notNull().default(""),
    isDefault: integer("is_default", { mode: "boolean" }).notNull().default(false),
    createdAt: integer("created_at").notNull(),
    /**
     * Since when it pays nothing here. The row stays a while, so that a payment that was on its way
     * does not bring the card back.
     */
    removedAt: integer("removed_at"),
    /** When the provider forgot it too. */
    forgottenAt: integer("forgotten_at"),
    brand: text("brand"),
    last4: text("last4"),
    /** When the provider said what it is; the calendar asks. */
    describedAt: integer("described_at"),
  },
  (table) => [
    index("saved_methods_to_describe")
      .on(table.createdAt)
      .where(sql`described_at IS NULL AND removed_at IS NULL`),
    index("saved_methods_to_forget")
      .on(table.removedAt)
      .where(sql`removed_at IS NOT NULL AND forgotten_at IS NULL`),
    index("saved_methods_forgotten")
      .on(table.forgottenAt)
      .where(sql`removed_at IS NOT NULL AND forgotten_at IS NOT NULL`),
    index("saved_methods_person")
      .on(table.personId, table.createdAt)
      .where(sql`removed_at IS NULL`),
    uniqueIndex("saved_methods_one_default")
      .on(table.personId)
      .where(sql`is_default = 1 AND removed_at IS NULL`),
  ],
);

/**
 * A card that somebody asked to keep without paying anything, until the provider said yes or no.
 * The row's id is the idempotency key.
 */
export const savedMethodAttempts = sqliteTable(
  "saved_method_attempts",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    provider: text("provider").notNull().default(""),
    /** What the provider calls the card; null until it answered. */
    methodId: text("method_id"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("saved_method_attempts_person").on(table.personId),
    index("saved_method_attempts_old").on(table.createdAt),
  ],
);

/**
 * What was paid and received by day, so that a total reads days and not payments. Triggers keep it
 * with every change of a paid charge; a day is counted as billing/rules.ts says. Fee and net are
 * what is left of them after refunds and disputes.
 */
export const transactionTotals = sqliteTable(
  "transaction_totals",
  {
    personId: text("person_id").notNull(),
    face: text("face", { enum: ["paid", "received"] }).notNull(),
    day: integer("day").notNull(),
    state: text("state").notNull(),
    method: text("method").notNull(),
    kind: text("kind").notNull(),
    count: integer("count").notNull(),
    amountCents: integer("amount_cents").notNull(),
    refundedCents: integer("refunded_cents").notNull(),
    disputedCents: integer("disputed_cents").notNull(),
    feeCents: integer("fee_cents").notNull(),
    netCents: integer("net_cents").notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.personId, table.face, table.day, table.state, table.method, table.kind],
    }),
  ],
);
