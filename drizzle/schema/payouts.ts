import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const withdrawalMethods = sqliteTable("withdrawal_methods", {
  creatorId: text("creator_id").primaryKey(),
  pixKeyKind: text("pix_key_kind", { enum: ["cpf", "cnpj", "email", "phone", "evp"] }).notNull(),
  pixKey: text("pix_key").notNull(),
  schedule: text("schedule", { enum: ["manual", "weekly", "monthly"] }).notNull(),
  /** Payouts wait until then after a change. */
  holdUntil: integer("hold_until"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const payouts = sqliteTable(
  "payouts",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    /** The cron run that claimed it. */
    batchId: text("batch_id"),
    /** Fixed when claimed: the whole available balance. Zero before. */
    amountCents: integer("amount_cents").notNull(),
    status: text("status").notNull(),
    pixKeyKind: text("pix_key_kind").notNull(),
    pixKey: text("pix_key").notNull(),
    provider: text("provider").notNull(),
    providerTransferId: text("provider_transfer_id"),
    failureCode: text("failure_code"),
    requestedAt: integer("requested_at").notNull(),
    claimedAt: integer("claimed_at"),
    sentAt: integer("sent_at"),
    settledAt: integer("settled_at"),
    askedAt: integer("asked_at"),
    /** Who of the creator's team asked for it; null when the creator or the schedule did. */
    actedBy: text("acted_by"),
  },
  (table) => [
    uniqueIndex("payouts_one_open")
      .on(table.creatorId)
      .where(sql`status IN ('requested', 'claimed', 'sent', 'held')`),
    uniqueIndex("payouts_transfer").on(table.provider, table.providerTransferId),
    index("payouts_status").on(table.status, table.requestedAt),
    index("payouts_creator").on(table.creatorId, table.requestedAt),
  ],
);
