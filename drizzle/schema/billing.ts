import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/** Billing details of a payer, as their receipts name them. */
export const billingDetails = sqliteTable(
  "billing_details",
  {
    personId: text("person_id").primaryKey(),
    taxKind: text("tax_kind", { enum: ["cpf", "cnpj"] }).notNull(),
    /** The characters only: eleven digits (CPF), or fourteen that may include letters (CNPJ). */
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
     * Since when sellers may see the payer's name and tax id to issue an invoice, at the payer's
     * request. Null without a request.
     */
    forInvoicesAt: integer("for_invoices_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("billing_details_tax_id").on(table.taxId)],
);

/**
 * Cards saved at a provider with their owner's consent. A trigger inserts a row when a subscription
 * is first paid with the card. Holds the provider's id of the card, never its number.
 */
export const savedMethods = sqliteTable(
  "saved_methods",
  {
    /** The provider's id of the card. */
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    /**
     * The provider that saved the card, the only one that can charge it. Empty in rows from before
     * the second provider: the current card provider.
     */
    provider: text("provider").notNull().default(""),
    isDefault: integer("is_default", { mode: "boolean" }).notNull().default(false),
    createdAt: integer("created_at").notNull(),
    /**
     * When the card was removed. The row stays for a while, so that a payment in flight does not
     * save the card again.
     */
    removedAt: integer("removed_at"),
    /** When the provider deleted it too. */
    forgottenAt: integer("forgotten_at"),
    brand: text("brand"),
    last4: text("last4"),
    /** When the provider described the card (brand, digits); the renewals cron asks. */
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
 * A request to save a card without a payment, until the provider answers. The row's id is the
 * idempotency key.
 */
export const savedMethodAttempts = sqliteTable(
  "saved_method_attempts",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    provider: text("provider").notNull().default(""),
    /** The provider's id of the card; null until it answers. */
    methodId: text("method_id"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("saved_method_attempts_person").on(table.personId),
    index("saved_method_attempts_old").on(table.createdAt),
  ],
);

/**
 * Totals paid and received per day, so that a sum reads days instead of payments. Triggers update
 * them with every change of a paid charge. billing/statements/rules/statement.ts decides to which
 * day a charge belongs. Fee and net are after refunds and disputes.
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
