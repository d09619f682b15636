import { timeOrderedId } from "#app/lib/ids.ts";

/** How many entries are few. Source: issue 6, "Numbers". */
export const SMALL_ENTRIES = 10_000;
export const BENCH_BATCH_SIZE = 20;
/** Each round measures BATCH transfers of each kind, one after the other or in one batch. */
export const BENCH_ROUNDS = 40;
export const SMALL_CREATORS = 1_000;

/** The owners of the accounts that `fillLedger` makes, as `creator_pending:<id>`. */
const creatorIdOf = (n: number): string => n.toString(16).padStart(32, "0");
export const randomCreator = (creators: number): string =>
  creatorIdOf(Math.floor(Math.random() * creators));

/** A sale now of any of so many creators. */
export const randomSale = (creators: number): Sale => ({
  id: timeOrderedId(Date.now()),
  creatorId: randomCreator(creators),
  at: Date.now(),
});

type Sale = { id: string; creatorId: string; at: number };
type RawStatement = { sql: string; params: (string | number)[] };

/**
 * The transaction of a sale in the statements that the product writes, by hand: its accounts where
 * they are missing, itself, its entries, and that it is posted.
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
