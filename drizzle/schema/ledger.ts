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
 * Guarded by triggers in drizzle/migrations: append-only, posted only when balanced, floors at
 * posting.
 */
export const ledgerAccounts = sqliteTable(
  "ledger_accounts",
  {
    /** `kind` or `kind:owner`, such as `creator_pending:<person id>`. */
    id: text("id").primaryKey(),
    kind: text("kind").notNull(),
    ownerId: text("owner_id"),
    /** 1 where debits raise the account (assets, expenses), -1 where credits do. */
    normalSide: integer("normal_side").notNull(),
    hasFloor: integer("has_floor", { mode: "boolean" }).notNull(),
    /** Sum of posted entries, debits positive; moved only by the posting trigger. */
    balanceCents: integer("balance_cents").notNull().default(0),
  },
  (table) => [
    index("ledger_accounts_owner").on(table.ownerId),
    // What a kind comes to, and its largest accounts: those at zero, as every payout that is over,
    // are not in it.
    index("ledger_accounts_balance")
      .on(table.kind, table.balanceCents, table.id)
      .where(sql`balance_cents <> 0`),
  ],
);

export const ledgerTransactions = sqliteTable(
  "ledger_transactions",
  {
    id: text("id").primaryKey(),
    /** What made it, once: `charge:<id>:succeeded`. */
    sourceKey: text("source_key").notNull(),
    kind: text("kind").notNull(),
    /** The row of the product it belongs to. */
    chargeId: text("charge_id"),
    payoutId: text("payout_id"),
    createdAt: integer("created_at").notNull(),
    postedAt: integer("posted_at"),
  },
  (table) => [
    uniqueIndex("ledger_transactions_source").on(table.sourceKey),
    index("ledger_transactions_charge").on(table.chargeId),
    index("ledger_transactions_payout").on(table.payoutId),
    // The journal of a month or a day, in the order in which a seal reads it.
    index("ledger_transactions_posted").on(table.postedAt, table.id),
  ],
);

export const ledgerEntries = sqliteTable(
  "ledger_entries",
  {
    id: text("id").primaryKey(),
    transactionId: text("transaction_id").notNull(),
    accountId: text("account_id").notNull(),
    /** Debit positive, credit negative, never zero. */
    amountCents: integer("amount_cents").notNull(),
    /**
     * When its transaction was posted, repeated here by which a statement is read; posting refuses
     * another.
     */
    postedAt: integer("posted_at"),
  },
  (table) => [
    index("ledger_entries_transaction").on(table.transactionId),
    index("ledger_entries_statement").on(table.accountId, table.postedAt, table.id),
  ],
);

/**
 * A month that is closed: nothing is posted into it any more, and its hash continues the one
 * before. Append-only by trigger.
 */
export const ledgerSeals = sqliteTable("ledger_seals", {
  /** `YYYY-MM` in São Paulo. */
  month: text("month").primaryKey(),
  /** The first instant after it. */
  endsAt: integer("ends_at").notNull(),
  entriesCount: integer("entries_count").notNull(),
  previousHash: text("previous_hash").notNull(),
  /** SHA-256 in hex, by `sealLine` of ledger/rules/seals.ts. */
  hash: text("hash").notNull(),
  /** What each kind of account came to at its end, debits positive (centavos), as JSON. */
  balances: text("balances").notNull(),
  sealedAt: integer("sealed_at").notNull(),
});

/**
 * What an account moved by in a sealed month, debits positive (centavos); written as the month is
 * sealed, and of an open one only as far as its sealing came. No row of one that did not move.
 */
export const ledgerAccountMonths = sqliteTable(
  "ledger_account_months",
  {
    month: text("month").notNull(),
    accountId: text("account_id").notNull(),
    cents: integer("cents").notNull(),
  },
  (table) => [primaryKey({ columns: [table.month, table.accountId] })],
);

/**
 * The month that is being sealed, and how far it came: from its beginning on nothing is posted into
 * it. At most one row; guarded by trigger, and gone with its seal.
 */
export const ledgerSealProgress = sqliteTable("ledger_seal_progress", {
  month: text("month").primaryKey(),
  endsAt: integer("ends_at").notNull(),
  previousHash: text("previous_hash").notNull(),
  hash: text("hash").notNull(),
  entriesCount: integer("entries_count").notNull(),
  balances: text("balances").notNull(),
  /** The last entry that `hash` holds; null at the beginning. */
  afterPostedAt: integer("after_posted_at"),
  afterTransactionId: text("after_transaction_id"),
  afterId: text("after_id"),
});

/** How each invariant was found the last time that the payouts worker looked. */
export const ledgerChecks = sqliteTable("ledger_checks", {
  name: text("name").primaryKey(),
  checkedAt: integer("checked_at").notNull(),
  /** When all of what it is about was last looked at, and not only what moved since the look before. */
  wholeAt: integer("whole_at").notNull().default(0),
  /** The product's moment of the last look: what was posted before it was seen. */
  seenUntil: integer("seen_until").notNull().default(0),
  brokenCount: integer("broken_count").notNull(),
  /** One of the rows that break it, as JSON. */
  example: text("example"),
  brokenSince: integer("broken_since"),
  /**
   * What the staff was last told of it while it is broken: when (wall clock), how many rows there
   * were, and which; null while it holds.
   */
  told: text("told", { mode: "json" }).$type<{
    at: number;
    count: number;
    keys: readonly string[];
  }>(),
  /** While it is broken no payout is claimed. */
  holdsPayouts: integer("holds_payouts", { mode: "boolean" }).notNull(),
});

/**
 * Money that the staff moved outside of the product: from one provider to another, or between a
 * provider and the platform (`platform_cash`). Append-only by trigger; a mistake is moved back.
 */
export const providerMoves = sqliteTable(
  "provider_moves",
  {
    id: text("id").primaryKey(),
    fromProvider: text("from_provider").notNull(),
    toProvider: text("to_provider").notNull(),
    amountCents: integer("amount_cents").notNull(),
    /** How it was moved, such as the bank's number of the transfer. */
    note: text("note").notNull(),
    movedBy: text("moved_by").notNull(),
    createdAt: integer("created_at").notNull(),
    /** The day on which the bank moved it, as `YYYY-MM-DD`; said of the platform's own. */
    movedOn: text("moved_on"),
    /**
     * What was the platform's (the view `platform_own`) as it took this out, centavos; of nothing
     * else.
     */
    ownCents: integer("own_cents"),
  },
  (table) => [index("provider_moves_latest").on(table.createdAt)],
);

/**
 * What somebody of the staff asked to take out of a provider for the platform. Approved by another,
 * it becomes the move of the same id. Decided once, by trigger.
 */
export const platformWithdrawals = sqliteTable(
  "platform_withdrawals",
  {
    id: text("id").primaryKey(),
    provider: text("provider").notNull(),
    amountCents: integer("amount_cents").notNull(),
    /** The day on which it leaves, as `YYYY-MM-DD`. */
    movedOn: text("moved_on").notNull(),
    note: text("note").notNull(),
    state: text("state", { enum: ["asked", "approved", "refused"] }).notNull(),
    askedBy: text("asked_by").notNull(),
    askedAt: integer("asked_at").notNull(),
    decidedBy: text("decided_by"),
    decidedAt: integer("decided_at"),
  },
  (table) => [index("platform_withdrawals_state").on(table.state, table.askedAt)],
);
