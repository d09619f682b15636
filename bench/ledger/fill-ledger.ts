const LEGS = 3;
const STEP = 250_000;
const SEALS = 24;
/** Time between two postings. */
const MS_BETWEEN = 500;

/** The methods of D1 that filling needs. The stand-in over `node:sqlite` has them too. */
export type FillableDatabase = {
  prepare(sql: string): { run(): Promise<unknown>; all<Row>(): Promise<{ results: Row[] }> };
};
export type FillLedgerInput = {
  database: FillableDatabase;
  entries: number;
  creators: number;
  until: number;
};

/**
 * Fills an empty ledger with `entries` entries of sales to `creators` creators (`creatorIdOf`), the
 * last at `until`. Ids are in order of time and as long as the product's. Writes every index, the
 * balances and the seals of two years. Removes the triggers meanwhile and restores them.
 */
export async function fillLedger({
  database,
  entries,
  creators,
  until,
}: FillLedgerInput): Promise<void> {
  const run = (sql: string) => database.prepare(sql).run();
  const dropped = (
    await database
      .prepare(
        "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL AND tbl_name LIKE 'ledger_%'",
      )
      .all<{ type: string; name: string; sql: string }>()
  ).results;
  for (const { type, name } of dropped) await run(`DROP ${type} "${name}"`);
  const sales = Math.ceil(entries / LEGS);
  const at = `${until - sales * MS_BETWEEN} + i * ${MS_BETWEEN}`;
  const creator = `printf('%032x', (i * 7919) % ${creators})`;
  const id = `printf('%012x7%019x', ${at}, i)`;
  const numbers = (from: number, to: number) =>
    `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})`;
  await run(
    `${numbers(0, creators)} INSERT INTO ledger_accounts (id, kind, owner_id, normal_side, has_floor) SELECT 'creator_pending:' || printf('%032x', i), 'creator_pending', printf('%032x', i), -1, 1 FROM n`,
  );
  await run(
    "INSERT INTO ledger_accounts (id, kind, owner_id, normal_side, has_floor) VALUES ('provider_clearing:sandbox', 'provider_clearing', 'sandbox', 1, 0), ('platform_fees', 'platform_fees', NULL, -1, 0)",
  );
  for (let from = 0; from < sales; from += STEP) {
    const some = numbers(from, Math.min(from + STEP, sales));
    await run(
      `${some} INSERT INTO ledger_transactions (id, source_key, kind, charge_id, created_at, posted_at) SELECT ${id}, 'charge:' || ${id} || ':succeeded', 'charge.succeeded', ${id}, ${at}, ${at} FROM n`,
    );
    await run(
      `${some} INSERT INTO ledger_entries (id, transaction_id, account_id, amount_cents, posted_at)
        SELECT ${id} || '-' || leg.column1, ${id}, iif(leg.column1 = 1, 'creator_pending:' || ${creator}, leg.column2), leg.column3, ${at}
        FROM n CROSS JOIN (VALUES (0, 'provider_clearing:sandbox', 1990), (1, '', -1890), (2, 'platform_fees', -100)) leg`,
    );
  }
  await run(
    `${numbers(0, SEALS)} INSERT INTO ledger_seals (month, ends_at, entries_count, previous_hash, hash, balances, sealed_at) SELECT printf('%04d-%02d', 2020 + i / 12, 1 + i % 12), i, 0, '', '', '{}', i FROM n`,
  );
  for (const { sql } of dropped.filter(({ type }) => type === "index")) await run(sql);
  await run(
    `UPDATE ledger_accounts SET balance_cents = CASE kind WHEN 'provider_clearing' THEN ${sales * 1_990} WHEN 'platform_fees' THEN ${sales * -100}
      ELSE -1890 * (SELECT COUNT(*) FROM ledger_entries e WHERE e.account_id = ledger_accounts.id) END`,
  );
  for (const { sql } of dropped.filter(({ type }) => type === "trigger")) await run(sql);
}
