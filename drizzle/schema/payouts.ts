import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const withdrawalMethods = sqliteTable(
  "withdrawal_methods",
  {
    creatorId: text("creator_id").primaryKey(),
    /**
     * A kind of Pix key, or `bank_account`, whose `pixKey` is the line of the account: "237 1263
     * 999999-1 checking".
     */
    pixKeyKind: text("pix_key_kind", {
      enum: ["cpf", "cnpj", "email", "phone", "evp", "bank_account"],
    }).notNull(),
    pixKey: text("pix_key").notNull(),
    schedule: text("schedule", { enum: ["manual", "weekly", "monthly"] }).notNull(),
    /** Payouts wait until then after a change. */
    holdUntil: integer("hold_until"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /**
     * When it is next looked at whether to ask, before any payout, whose the key is; null where
     * that was told, or the kind says so itself.
     */
    askOwnerAt: integer("ask_owner_at"),
  },
  (table) => [
    index("withdrawal_methods_ask_owner")
      .on(table.askOwnerAt, table.creatorId)
      .where(sql`ask_owner_at IS NOT NULL`),
  ],
);

/**
 * What the directory of Pix said of a creator's key (e-mail, phone or random), the last that was
 * asked about; of another key it says nothing. Gone with the method.
 */
export const pixKeyOwners = sqliteTable("pix_key_owners", {
  creatorId: text("creator_id").primaryKey(),
  pixKeyKind: text("pix_key_kind", { enum: ["email", "phone", "evp"] }).notNull(),
  pixKey: text("pix_key").notNull(),
  /** As it came: the number may be masked. Null, both, where nobody has the key. */
  ownerName: text("owner_name"),
  ownerTaxId: text("owner_tax_id"),
  askedAt: integer("asked_at").notNull(),
});

export const payouts = sqliteTable(
  "payouts",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    /** The batch of schedules that opened it; null when a person asked. */
    batchId: text("batch_id"),
    /** Fixed when claimed: the whole available balance, or what was approved of it. Zero before. */
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
    /** Why it waits while `databaseContents`. */
    heldReason: text("held_reason", {
      enum: ["documents", "changed_method", "moderation", "approval", "owner_differs"],
    }),
    /** When the reason ends by itself, where it does. */
    heldUntil: integer("held_until"),
    /** A moderator's consent to send up to `approvedCents`. */
    approvedBy: text("approved_by"),
    approvedCents: integer("approved_cents"),
    /**
     * Whose the account is, by the documents at the claim; null of a Pix key. It never changes: the
     * same transfer is asked for with the same words.
     */
    ownerName: text("owner_name"),
    ownerTaxId: text("owner_tax_id"),
    /** What it waits for while it may leave otherwise, and when it is looked at again. */
    waitsFor: text("waits_for", { enum: ["business_day", "balance", "provider", "key_owner"] }),
    waitsUntil: integer("waits_until"),
    /** When its provider was last asked to send it: until then nothing of it left. */
    sendAskedAt: integer("send_asked_at"),
    /**
     * The first of the asks of which it is not known what became: since then its provider may have
     * it. Null while it was not asked.
     */
    unsureSince: integer("unsure_since"),
    /** What the provider took for sending it, as it was posted; null until it said. */
    costCents: integer("cost_cents"),
  },
  (table) => [
    uniqueIndex("payouts_one_open")
      .on(table.creatorId)
      .where(sql`status IN ('requested', 'claimed', 'sent', 'held')`),
    uniqueIndex("payouts_transfer").on(table.provider, table.providerTransferId),
    index("payouts_status").on(table.status, table.requestedAt),
    index("payouts_creator").on(table.creatorId, table.requestedAt),
    // The payouts of a batch in one state, as the desk lists them.
    index("payouts_batch_state")
      .on(table.batchId, table.status, table.id)
      .where(sql`batch_id IS NOT NULL`),
    // What the desk and the cron look at: held ones are few.
    index("payouts_held")
      .on(table.heldReason, table.requestedAt)
      .where(sql`status = 'held'`),
    index("payouts_waiting")
      .on(table.waitsFor, table.requestedAt)
      .where(sql`waits_for IS NOT NULL`),
    index("payouts_waiting_for_owner")
      .on(table.status, table.waitsUntil, table.id)
      .where(sql`waits_for = 'key_owner'`),
  ],
);

/** The payouts that the schedules of a civil day of São Paulo opened. */
export const payoutBatches = sqliteTable("payout_batches", {
  id: text("id").primaryKey(),
  /** "2026-11-23" */
  day: text("day").notNull().unique(),
  startedAt: integer("started_at").notNull(),
  /** The last creator that this pass looked at; null before its first page. */
  cursor: text("cursor"),
  /**
   * When the last page of creators was gone through; a later pass of the same day finds what was
   * released since.
   */
  finishedAt: integer("finished_at"),
});

/** A moderator holds every payout of a person; ended, never deleted. */
export const payoutHolds = sqliteTable(
  "payout_holds",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    /** As the person reads it. */
    reason: text("reason").notNull(),
    heldBy: text("held_by").notNull(),
    heldAt: integer("held_at").notNull(),
    endedBy: text("ended_by"),
    endedAt: integer("ended_at"),
  },
  (table) => [
    uniqueIndex("payout_holds_one")
      .on(table.creatorId)
      .where(sql`ended_at IS NULL`),
    index("payout_holds_creator").on(table.creatorId, table.heldAt),
  ],
);

/** What moderators did to payouts; append-only by trigger. */
export const payoutActs = sqliteTable(
  "payout_acts",
  {
    id: text("id").primaryKey(),
    payoutId: text("payout_id").notNull(),
    moderatorId: text("moderator_id").notNull(),
    act: text("act", {
      enum: ["approve", "cancel", "retry", "ask", "hold", "release", "record"],
    }).notNull(),
    note: text("note").notNull().default(""),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("payout_acts_payout").on(table.payoutId, table.createdAt)],
);
