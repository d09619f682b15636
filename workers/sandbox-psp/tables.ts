import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { pixMandateIntervals } from "#app/domain/payments/schema.ts";

/** The tables of migrations/, for types only; the SQL there creates them. */
export const settings = sqliteTable("settings", {
  name: text("name").primaryKey(),
  value: text("value").notNull(),
});

export const cardTokens = sqliteTable("card_tokens", {
  id: text("id").primaryKey(),
  behaviour: text("behaviour").notNull(),
  brand: text("brand").notNull(),
  last4: text("last4").notNull(),
  usedAt: integer("used_at"),
  createdAt: integer("created_at").notNull(),
});

export const savedMethods = sqliteTable("saved_methods", {
  id: text("id").primaryKey(),
  behaviour: text("behaviour").notNull(),
  brand: text("brand").notNull(),
  last4: text("last4").notNull(),
  status: text("status", { enum: ["requires_action", "ready", "failed", "removed"] })
    .notNull()
    .default("ready"),
  returnUrl: text("return_url"),
  failureCode: text("failure_code"),
  createdAt: integer("created_at").notNull(),
});

export const charges = sqliteTable("charges", {
  id: text("id").primaryKey(),
  reference: text("reference").notNull(),
  method: text("method", { enum: ["pix", "card"] }).notNull(),
  status: text("status", {
    enum: [
      "awaiting_payment",
      "requires_action",
      "processing",
      "succeeded",
      "failed",
      "expired",
      "canceled",
    ],
  }).notNull(),
  amountCents: integer("amount_cents").notNull(),
  refundedCents: integer("refunded_cents").notNull().default(0),
  description: text("description").notNull(),
  payerName: text("payer_name").notNull(),
  txid: text("txid"),
  pixCode: text("pix_code"),
  returnUrl: text("return_url"),
  cardBehaviour: text("card_behaviour"),
  cardBrand: text("card_brand"),
  cardLast4: text("card_last4"),
  saveCard: integer("save_card", { mode: "boolean" }).notNull().default(false),
  savedMethodId: text("saved_method_id"),
  failureCode: text("failure_code"),
  expiresAt: integer("expires_at"),
  settlesAt: integer("settles_at"),
  succeededAt: integer("succeeded_at"),
  recurringPixId: text("recurring_pix_id"),
  createdAt: integer("created_at").notNull(),
});

export const recurringPix = sqliteTable("recurring_pix", {
  id: text("id").primaryKey(),
  reference: text("reference").notNull(),
  status: text("status", {
    enum: ["created", "active", "rejected", "canceled", "expired"],
  }).notNull(),
  interval: text("interval", { enum: pixMandateIntervals }).notNull(),
  amountCents: integer("amount_cents"),
  leastCents: integer("least_cents").notNull(),
  startsOn: text("starts_on").notNull(),
  endsOn: text("ends_on"),
  description: text("description").notNull(),
  payerName: text("payer_name").notNull(),
  pixCode: text("pix_code").notNull(),
  firstChargeId: text("first_charge_id").notNull(),
  expiresAt: integer("expires_at").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const instructions = sqliteTable("instructions", {
  id: text("id").primaryKey(),
  chargeId: text("charge_id").notNull(),
  recurringPixId: text("recurring_pix_id").notNull(),
  status: text("status", { enum: ["scheduled", "settled", "refused", "canceled"] }).notNull(),
  dueOn: text("due_on").notNull(),
  dueAt: integer("due_at").notNull(),
  attempt: integer("attempt").notNull(),
  failureCode: text("failure_code"),
  createdAt: integer("created_at").notNull(),
});

export const refunds = sqliteTable("refunds", {
  id: text("id").primaryKey(),
  reference: text("reference").notNull(),
  chargeId: text("charge_id").notNull(),
  status: text("status", { enum: ["processing", "succeeded", "failed"] }).notNull(),
  amountCents: integer("amount_cents").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const transfers = sqliteTable("transfers", {
  id: text("id").primaryKey(),
  reference: text("reference").notNull(),
  status: text("status", { enum: ["processing", "paid", "failed", "returned"] }).notNull(),
  amountCents: integer("amount_cents").notNull(),
  pixKeyKind: text("pix_key_kind").notNull(),
  pixKey: text("pix_key").notNull(),
  outcome: text("outcome", { enum: ["paid", "failed", "returned"] }).notNull(),
  failureCode: text("failure_code"),
  settlesAt: integer("settles_at").notNull(),
  returnsAt: integer("returns_at"),
  createdAt: integer("created_at").notNull(),
});

export const disputes = sqliteTable("disputes", {
  id: text("id").primaryKey(),
  chargeId: text("charge_id").notNull(),
  kind: text("kind", { enum: ["card", "med"] }).notNull(),
  status: text("status", { enum: ["open", "won", "lost"] }).notNull(),
  amountCents: integer("amount_cents").notNull(),
  createdAt: integer("created_at").notNull(),
  respondBy: integer("respond_by").notNull(),
  answeredAt: integer("answered_at"),
  evidence: text("evidence"),
});

export const files = sqliteTable("files", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  contentType: text("content_type").notNull(),
  sizeBytes: integer("size_bytes").notNull(),
  sha256: text("sha256").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const idempotencyKeys = sqliteTable("idempotency_keys", {
  id: text("id").primaryKey(),
  fingerprint: text("fingerprint").notNull(),
  status: integer("status").notNull(),
  answer: text("answer").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const events = sqliteTable("events", {
  id: text("id").primaryKey(),
  type: text("type").notNull(),
  object: text("object", {
    enum: ["charge", "refund", "transfer", "dispute", "recurring_pix", "instruction"],
  }).notNull(),
  objectId: text("object_id").notNull(),
  body: text("body").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const deliveries = sqliteTable("deliveries", {
  id: integer("id").primaryKey(),
  eventId: text("event_id").notNull(),
  state: text("state", { enum: ["waiting", "delivered", "dropped", "abandoned"] }).notNull(),
  attempts: integer("attempts").notNull().default(0),
  nextAttemptAt: integer("next_attempt_at").notNull(),
  lastAnswer: text("last_answer"),
  deliveredAt: integer("delivered_at"),
  createdAt: integer("created_at").notNull(),
});

export type ChargeRow = typeof charges.$inferSelect;
export type SavedMethodRow = typeof savedMethods.$inferSelect;
export type RecurringPixRow = typeof recurringPix.$inferSelect;
export type InstructionRow = typeof instructions.$inferSelect;
export type RefundRow = typeof refunds.$inferSelect;
export type TransferRow = typeof transfers.$inferSelect;
export type SandboxDisputeRow = typeof disputes.$inferSelect;
export type FileRow = typeof files.$inferSelect;
export type EventRow = typeof events.$inferSelect;
