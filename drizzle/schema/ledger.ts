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
 * Ledger accounts. Triggers in drizzle/migrations enforce: append-only, posted only when balanced,
 * floors checked at posting.
 */
export const ledgerAccounts = sqliteTable(
  "ledger_accounts",
  {
    /** `kind` or `kind:owner`, such as `creator_pending:<person id>`. */
    id: text("id").primaryKey(),
    kind: text("kind").notNull(),
    ownerId: text("owner_id"),
    /** 1 if debits raise the account (assets, expenses), -1 if credits do. */
    normalSide: integer("normal_side").notNull(),
    hasFloor: integer("has_floor", { mode: "boolean" }).notNull(),
    /** Sum of posted entries, debits positive; only the posting trigger changes it. */
    balanceCents: integer("balance_cents").notNull().default(0),
  },
  (table) => [
    index("ledger_accounts_owner").on(table.ownerId),
    // The total of a kind, and its largest accounts. Accounts at zero, such as those of completed
    // payouts, are excluded.
    index("ledger_accounts_balance")
      .on(table.kind, table.balanceCents, table.id)
      .where(sql`balance_cents <> 0`),
  ],
);

export const ledgerTransactions = sqliteTable(
  "ledger_transactions",
  {
    id: text("id").primaryKey(),
    /** Unique key of the cause: `charge:<id>:succeeded`. */
    sourceKey: text("source_key").notNull(),
    kind: text("kind").notNull(),
    /** The product's row that it belongs to. */
    chargeId: text("charge_id"),
    payoutId: text("payout_id"),
    createdAt: integer("created_at").notNull(),
    postedAt: integer("posted_at"),
  },
  (table) => [
    uniqueIndex("ledger_transactions_source").on(table.sourceKey),
    index("ledger_transactions_charge").on(table.chargeId),
    index("ledger_transactions_payout").on(table.payoutId),
    // The journal of a month or a day, in the order that a seal reads.
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
     * When its transaction was posted, repeated here for the index of statements. Posting refuses a
     * different time.
     */
    postedAt: integer("posted_at"),
  },
  (table) => [
    index("ledger_entries_transaction").on(table.transactionId),
    index("ledger_entries_statement").on(table.accountId, table.postedAt, table.id),
  ],
);

/**
 * A closed month: nothing more can be posted into it. Its hash continues that of the month before.
 * Append-only by trigger.
 */
export const ledgerSeals = sqliteTable("ledger_seals", {
  /** `YYYY-MM` in São Paulo. */
  month: text("month").primaryKey(),
  /** The first instant after the month. */
  endsAt: integer("ends_at").notNull(),
  entriesCount: integer("entries_count").notNull(),
  previousHash: text("previous_hash").notNull(),
  /** SHA-256 in hex, by `sealLine` of ledger/months/rules/seals.ts. */
  hash: text("hash").notNull(),
  /** The balance of each kind of account at the month's end, debits positive (centavos), as JSON. */
  balances: text("balances").notNull(),
  sealedAt: integer("sealed_at").notNull(),
});

/**
 * The change of an account in a sealed month, debits positive (centavos). Written while the month
 * is sealed; an open month has rows only up to the sealing progress. An account without changes has
 * no row.
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
 * The month being sealed, and the progress. Nothing is posted into it once its sealing starts. At
 * most one row, guarded by a trigger and deleted with the seal.
 */
export const ledgerSealProgress = sqliteTable("ledger_seal_progress", {
  month: text("month").primaryKey(),
  endsAt: integer("ends_at").notNull(),
  previousHash: text("previous_hash").notNull(),
  hash: text("hash").notNull(),
  entriesCount: integer("entries_count").notNull(),
  balances: text("balances").notNull(),
  /** The last entry included in `hash`; null at the start. */
  afterPostedAt: integer("after_posted_at"),
  afterTransactionId: text("after_transaction_id"),
  afterId: text("after_id"),
});

/** The latest result of each ledger check of the payouts worker. */
export const ledgerChecks = sqliteTable("ledger_checks", {
  name: text("name").primaryKey(),
  checkedAt: integer("checked_at").notNull(),
  /** When the whole scope was last checked, not only the rows changed since the previous check. */
  wholeAt: integer("whole_at").notNull().default(0),
  /** The product's time of the last check: it read everything posted before. */
  seenUntil: integer("seen_until").notNull().default(0),
  brokenCount: integer("broken_count").notNull(),
  /** One of the rows that violate it, as JSON. */
  example: text("example"),
  brokenSince: integer("broken_since"),
  /**
   * The last staff notification about the violation: time (wall clock), number of rows, and which.
   * Null while the invariant holds.
   */
  notice: text("told", { mode: "json" }).$type<{
    at: number;
    count: number;
    keys: readonly string[];
  }>(),
  /** While the invariant is violated no payout is claimed. */
  holdsPayouts: integer("holds_payouts", { mode: "boolean" }).notNull(),
});

/**
 * Money that staff moved outside the product: between providers, or between a provider and the
 * platform (`platform_cash`). Append-only by trigger; a mistake is corrected by the opposite move.
 */
export const providerMoves = sqliteTable(
  "provider_moves",
  {
    id: text("id").primaryKey(),
    fromProvider: text("from_provider").notNull(),
    toProvider: text("to_provider").notNull(),
    amountCents: integer("amount_cents").notNull(),
    /** How it was moved, such as the bank's transfer number. */
    note: text("note").notNull(),
    movedBy: text("moved_by").notNull(),
    createdAt: integer("created_at").notNull(),
    /** The day on which the bank moved it, as `YYYY-MM-DD`; given for the platform's own money. */
    movedOn: text("moved_on"),
    /**
     * The platform's own money (the view `platform_own`) when this withdrawal was made, centavos.
     * Null for other moves.
     */
    ownCents: integer("own_cents"),
  },
  (table) => [index("provider_moves_latest").on(table.createdAt)],
);

/**
 * A withdrawal of the platform's money from a provider, requested by one staff member. When another
 * approves it, it becomes the move of the same id. A trigger allows one decision.
 */
export const platformWithdrawals = sqliteTable(
  "platform_withdrawals",
  {
    id: text("id").primaryKey(),
    provider: text("provider").notNull(),
    amountCents: integer("amount_cents").notNull(),
    /** The day of the withdrawal, as `YYYY-MM-DD`. */
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
