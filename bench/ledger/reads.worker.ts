import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { checkBooks } from "#app/domain/audit/commands.server.ts";
import { sealNextMonth } from "#app/domain/ledger/months/commands.server.ts";
import { balancesBefore } from "#app/domain/ledger/months/queries/journal.server.ts";
import { verifySeal } from "#app/domain/ledger/months/queries/seals.server.ts";
import { ledgerStatement } from "#app/domain/ledger/statements/queries/statement.server.ts";
import { monthOf } from "#app/domain/ledger/months/rules/months.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { sized } from "#bench/size.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { generatedCreatorStatements, saleStatements } from "#tests/support/many-creators.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import type { LedgerReadsResult } from "./reads.ts";

const READS = 7;
const PAGE = 50;
const sizedHere = (usual: number, small: number): number => sized(usual, small, { ...testEnv });
const FEW = sizedHere(10_000, 100);
const MANY = sizedHere(100_000, 1_000);
const STEP = 5_000;
const ENTRIES_A_SALE = 5;
/** Noon in the month before last, so that the month is over. */
const THEN = Date.parse("2026-09-15T15:00:00Z");
const fees = {
  of: { account: { kind: "platform_fees", ownerId: null } },
  from: null,
  until: null,
  cursor: null,
  limit: PAGE,
} as const;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};
const all = (sql: string, ...values: unknown[]) =>
  testEnv.DB.prepare(sql)
    .bind(...values)
    .all();

// The compared statements are written by hand.
allowBrokenInvariants();

test("books", async () => {
  const { ctx: base } = await testContext({ webhooks: false });
  const at = (ms: number): Context => ({ ...base, now: () => ms, realNow: () => ms });
  const ctx = at(THEN + MINUTE_MS);
  const looks: LedgerReadsResult["looks"] = [];
  await filled(0, FEW);
  looks.push(await looked(at, FEW, 2));
  await filled(FEW, MANY);
  looks.push(await looked(at, MANY, 3));

  const statement = await sampled(
    () => ledgerStatement(ctx, fees),
    () =>
      all(
        `SELECT e.id, e.posted_at, e.amount_cents, t.kind, c.description FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id LEFT JOIN charges c ON c.id = t.charge_id WHERE e.account_id = 'platform_fees' ORDER BY e.posted_at DESC, e.id DESC LIMIT ${PAGE + 1}`,
      ),
  );
  const statementRows = {
    shown: PAGE,
    read: await rowsRead(ctx, (one) => ledgerStatement(one, fees)),
  };
  const until = THEN + 40 * 86_400_000;
  const sumByKind = () =>
    all(
      "SELECT a.kind, SUM(e.amount_cents) FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id WHERE t.posted_at < ? GROUP BY a.kind",
      until,
    );
  const trial = await sampled(() => balancesBefore(ctx, { until }), sumByKind, 3);
  const bareRead = await rowsRead(ctx, (one) => balancesBefore(one, { until }));

  const sealing = at(THEN + 45 * 86_400_000);
  const sealMs = await timed(() => sealNextMonth(sealing, { digest: sha256Hex }));
  const verifyMs = await timed(async () =>
    expect(await verifySeal(sealing, { month: monthOf(THEN), digest: sha256Hex })).toMatchObject({
      holds: true,
    }),
  );
  const bareMs = await timed(() =>
    all(
      "SELECT e.id, e.transaction_id, t.source_key, t.kind, t.posted_at, e.account_id, e.amount_cents FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id WHERE t.posted_at < ? ORDER BY t.posted_at, t.id, e.id",
      until,
    ),
  );
  const [seal] = (await all("SELECT entries_count AS entries FROM ledger_seals")).results as {
    entries: number;
  }[];
  const result: LedgerReadsResult = {
    statement,
    statementRows,
    trial,
    trialSealed: { read: await rowsRead(ctx, (one) => balancesBefore(one, { until })), bareRead },
    sealed: { entries: seal?.entries ?? 0, sealMs, verifyMs, bareMs },
    looks,
  };
  expect(result.sealed.entries).toBeGreaterThan(MANY * ENTRIES_A_SALE);
  console.log(`bench.ledger/reads ${JSON.stringify(result)}`);
});

async function filled(from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += STEP) {
    const who = { from: start, to: Math.min(start + STEP, to) };
    for (const sql of [
      ...generatedCreatorStatements(who, { now: THEN }),
      ...saleStatements({ ...who, round: 1, now: THEN, provider: "sandbox" }),
    ])
      await all(sql);
  }
}

/** Runs a full check, a full check by hand, and a check of the changes after twenty sales. */
async function looked(
  at: (ms: number) => Context,
  charges: number,
  round: number,
): Promise<LedgerReadsResult["looks"][number]> {
  const now = THEN + round * 60 * MINUTE_MS;
  const whole = (one: Context) => checkBooks(one, { moderatorIds: [], isWhole: true });
  const wholeMs = await timed(async () =>
    expect(await whole(at(now))).toEqual({ brokenCount: 0, missedCount: 0 }),
  );
  const bareMs = await timed(async () => {
    await all(
      "SELECT transaction_id FROM ledger_entries GROUP BY transaction_id HAVING SUM(amount_cents) <> 0",
    );
    await all(
      "SELECT a.id FROM ledger_accounts a JOIN ledger_entries e ON e.account_id = a.id GROUP BY a.id HAVING SUM(e.amount_cents) <> MAX(a.balance_cents)",
    );
  });
  const wholeRead = await rowsRead(at(now), whole);
  for (const sql of saleStatements({
    from: 0,
    to: 20,
    round,
    now: now + 20 * MINUTE_MS,
    provider: "sandbox",
  }))
    await all(sql);
  const moved = (one: Context) => checkBooks(one, { moderatorIds: [] });
  const dayRead = await rowsRead(at(now + 20 * MINUTE_MS), moved);
  return {
    charges,
    wholeMs,
    bareMs,
    wholeRead,
    dayRead,
    dayMs: await timed(() => moved(at(now + 21 * MINUTE_MS))),
  };
}

async function sampled(
  coreto: () => Promise<unknown>,
  bare: () => Promise<unknown>,
  reads = READS,
): Promise<{ coreto: number[]; bare: number[] }> {
  const samples = { coreto: [] as number[], bare: [] as number[] };
  for (let read = 0; read < reads; read += 1) {
    samples.coreto.push(await timed(coreto));
    samples.bare.push(await timed(bare));
  }
  return samples;
}

async function rowsRead(ctx: Context, work: (ctx: Context) => Promise<unknown>): Promise<number> {
  const tap = recordDatabase(testEnv.DB);
  await work({ ...ctx, db: openDatabase(tap.database) });
  return tap.trips.flat().reduce((sum, one) => sum + one.rowsRead, 0);
}
