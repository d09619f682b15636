import { timeOrderedId } from "#app/lib/ids.ts";

/** The size of a small ledger. Source: issue 6, "Numbers". */
export const SMALL_ENTRIES = 10_000;
export const BENCH_BATCH_SIZE = 20;
/** Each round measures BATCH transfers of each kind, one by one or in one batch. */
export const BENCH_ROUNDS = 40;
export const SMALL_CREATORS = 1_000;

/** Returns the owner id in the accounts that `fillLedger` creates, `creator_pending:<id>`. */
const creatorIdOf = (n: number): string => n.toString(16).padStart(32, "0");
export const randomCreator = (creators: number): string =>
  creatorIdOf(Math.floor(Math.random() * creators));

/** Returns a sale of now by one of so many creators, at random. */
export const randomSale = (creators: number): Sale => ({
  id: timeOrderedId(Date.now()),
  creatorId: randomCreator(creators),
  at: Date.now(),
});

type Sale = { id: string; creatorId: string; at: number };
type RawStatement = { sql: string; params: (string | number)[] };

/**
 * Writes the transaction of a sale by hand with the product's statements: missing accounts, the
 * transaction, its entries, and its posting.
 */
export function handWrittenSale({ id, creatorId, at }: Sale): RawStatement[] {
  const legs = [
    ["provider_clearing:sandbox", 1_990],
    [`creator_pending:${creatorId}`, -1_890],
    ["platform_fees", -100],
  ] as const;
  return [
    {
      sql: "INSERT INTO ledger_accounts (id, kind, owner_id, normal_side, has_floor) VALUES (?, 'provider_clearing', 'sandbox', 1, 0), (?, 'creator_pending', ?, -1, 1), (?, 'platform_fees', NULL, -1, 0) ON CONFLICT DO NOTHING",
      params: [legs[0][0], legs[1][0], creatorId, legs[2][0]],
    },
    {
      sql: "INSERT INTO ledger_transactions (id, source_key, kind, charge_id, created_at) VALUES (?, ?, 'charge.succeeded', ?, ?)",
      params: [id, `charge:${id}:succeeded`, id, at],
    },
    {
      sql: "INSERT INTO ledger_entries (id, transaction_id, account_id, amount_cents, posted_at) VALUES (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?)",
      params: legs.flatMap(([account, cents], index) => [`${id}-${index}`, id, account, cents, at]),
    },
    { sql: "UPDATE ledger_transactions SET posted_at = ? WHERE id = ?", params: [at, id] },
  ];
}
