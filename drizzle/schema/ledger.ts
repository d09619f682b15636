import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Guarded by triggers in drizzle/migrations: append-only, posted only when balanced, floors at posting. */
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
  (table) => [index("ledger_accounts_owner").on(table.ownerId)],
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
  },
  (table) => [
    index("ledger_entries_transaction").on(table.transactionId),
    index("ledger_entries_account").on(table.accountId),
  ],
);
