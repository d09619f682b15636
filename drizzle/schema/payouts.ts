import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const withdrawalMethods = sqliteTable(
  "withdrawal_methods",
  {
    creatorId: text("creator_id").primaryKey(),
    /**
     * A kind of Pix key, or `bank_account`. For that, `pixKey` is the account as text: "237 1263
     * 999999-1 checking".
     */
    pixKeyKind: text("pix_key_kind", {
      enum: ["cpf", "cnpj", "email", "phone", "evp", "bank_account"],
    }).notNull(),
    pixKey: text("pix_key").notNull(),
    schedule: text("schedule", { enum: ["manual", "weekly", "monthly"] }).notNull(),
    /** Payouts wait until then after a change of the key. */
    holdUntil: integer("hold_until"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /**
     * When to check whether the key's owner must be looked up before a payout. Null if the owner is
     * known, or the kind of key identifies them.
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
 * The DICT answer about the owner of a creator's key (email, phone or random). Only the last key
 * that was looked up; it says nothing of another key. Deleted with the payout method.
 */
export const pixKeyOwners = sqliteTable("pix_key_owners", {
  creatorId: text("creator_id").primaryKey(),
  pixKeyKind: text("pix_key_kind", { enum: ["email", "phone", "evp"] }).notNull(),
  pixKey: text("pix_key").notNull(),
  /** As received: the tax id may be masked. Both null if the key does not exist. */
  ownerName: text("owner_name"),
  ownerTaxId: text("owner_tax_id"),
  askedAt: integer("asked_at").notNull(),
});

export const payouts = sqliteTable(
  "payouts",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    /** The payout batch of the schedules; null for a manual request. */
    batchId: text("batch_id"),
    /** Fixed when claimed: the whole available balance, or the approved part of it. Zero before. */
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
    /** The team member who requested it; null if the creator or the schedule did. */
    actedBy: text("acted_by"),
    /** Why it waits while `held`. */
    heldReason: text("held_reason", {
      enum: ["documents", "changed_method", "moderation", "approval", "owner_differs"],
    }),
    /** When the hold ends automatically, if it does. */
    heldUntil: integer("held_until"),
    /** The moderator who approved up to `approvedCents`. */
    approvedBy: text("approved_by"),
    approvedCents: integer("approved_cents"),
    /**
     * The account holder, by the documents at the claim; null for a Pix key. It never changes, so
     * that a retry sends the same transfer.
     */
    ownerName: text("owner_name"),
    ownerTaxId: text("owner_tax_id"),
    /** What a payout that is not held waits for, and when to check again. */
    waitsFor: text("waits_for", { enum: ["business_day", "balance", "provider", "key_owner"] }),
    waitsUntil: integer("waits_until"),
    /** When its provider was last asked to send it; null means that nothing was sent. */
    sendAskedAt: integer("send_asked_at"),
    /**
     * The first request whose result is unknown: from then on the provider may have sent it. Null
     * if none is.
     */
    unsureSince: integer("unsure_since"),
    /** The provider's cost of the transfer, as posted; null until the provider reports it. */
    costCents: integer("cost_cents"),
  },
  (table) => [
    uniqueIndex("payouts_one_open")
      .on(table.creatorId)
      .where(sql`status IN ('requested', 'claimed', 'sent', 'held')`),
    uniqueIndex("payouts_transfer").on(table.provider, table.providerTransferId),
    index("payouts_status").on(table.status, table.requestedAt),
    index("payouts_creator").on(table.creatorId, table.requestedAt),
    // The payouts of a batch in one state, for the staff's list.
    index("payouts_batch_state")
      .on(table.batchId, table.status, table.id)
      .where(sql`batch_id IS NOT NULL`),
    // The held payouts, for staff and the cron: there are few.
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

/** The payouts that schedules opened on one day in São Paulo. */
export const payoutBatches = sqliteTable("payout_batches", {
  id: text("id").primaryKey(),
  /** "2026-11-23" */
  day: text("day").notNull().unique(),
  startedAt: integer("started_at").notNull(),
  /** The last creator that this pass handled; null before its first page. */
  cursor: text("cursor"),
  /**
   * When the last page of creators was handled. A later pass of the same day finds funds released
   * since.
   */
  finishedAt: integer("finished_at"),
});

/** A moderator's hold on every payout of a person; ended, never deleted. */
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

/** Moderators' actions on payouts; append-only by trigger. */
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
