import { applyD1Migrations } from "cloudflare:test";
import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { commit, openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { chargeSucceeded } from "#app/domain/ledger/rules.ts";
import { sized } from "#bench/size.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import {
  BENCH_BATCH_SIZE,
  handWrittenSale,
  SMALL_CREATORS,
  SMALL_ENTRIES,
  BENCH_ROUNDS,
  randomSale,
  randomCreator,
} from "./hand-written.ts";
import { fillLedger } from "./fill-ledger.ts";
import type { TransfersResult } from "./transfers.ts";

const sizedHere = (usual: number, small: number): number => sized(usual, small, { ...env });
const WARM_UP = sizedHere(2, 0);
const MEASURED_ROUNDS = sizedHere(BENCH_ROUNDS, 1);
/** Batches in a sample: workerd's clock has whole milliseconds. */
const BATCHES = 5;
const CREATORS_OF_MANY = sizedHere(100_000, 1_000);

type Given = {
  DB: D1Database;
  MANY_DB: D1Database;
  BENCH_ENTRIES: number;
  TEST_MIGRATIONS: D1Migration[];
};
type Books = { database: D1Database; ctx: Context; creators: number };

// The compared statements are written by hand.
allowBrokenInvariants();

test("transfers", async () => {
  const given = env as unknown as Given;
  const { ctx } = await testContext({ webhooks: false });
  const until = ctx.now() - 60_000;
  await applyD1Migrations(given.MANY_DB, given.TEST_MIGRATIONS);
  const few: Books = { database: given.DB, ctx, creators: SMALL_CREATORS };
  const many: Books = {
    database: given.MANY_DB,
    ctx: { ...ctx, db: openDatabase(given.MANY_DB) },
    creators: CREATORS_OF_MANY,
  };
  /** As many creators sell as in the small ledger, among a hundred times the creators. */
  const same: Books = { ...many, creators: few.creators };
  await fillLedger({ ...few, entries: sizedHere(SMALL_ENTRIES, 1_000), until });
  const startedAt = performance.now();
  await fillLedger({ ...many, entries: given.BENCH_ENTRIES, until });
  const filledMs = performance.now() - startedAt;

  const samples: TransfersResult["samples"] = {
    single: [],
    singleByHand: [],
    batch: [],
    batchByHand: [],
    singleAmongMany: [],
    batchAmongMany: [],
    batchOfMany: [],
    batchOfManyByHand: [],
  };
  const measures: [name: keyof typeof samples, work: () => Promise<unknown>][] = [
    ["single", () => oneByOne(() => commit(few.ctx.db, posting(few)))],
    ["singleByHand", () => oneByOne(() => handBatch(few, 1))],
    ["batch", () => oneByOne(() => commit(few.ctx.db, postings(few)), BATCHES)],
    ["batchByHand", () => oneByOne(() => handBatch(few, BENCH_BATCH_SIZE), BATCHES)],
    ["singleAmongMany", () => oneByOne(() => commit(many.ctx.db, posting(same)))],
    ["batchAmongMany", () => oneByOne(() => commit(many.ctx.db, postings(same)), BATCHES)],
    ["batchOfMany", () => oneByOne(() => commit(many.ctx.db, postings(many)), BATCHES)],
    ["batchOfManyByHand", () => oneByOne(() => handBatch(many, BENCH_BATCH_SIZE), BATCHES)],
  ];
  for (let round = -WARM_UP; round < MEASURED_ROUNDS; round += 1) {
    const turned = measures
      .map((_, index) => measures[(index + Math.abs(round)) % measures.length])
      .filter((one) => one !== undefined);
    for (const [name, work] of turned) {
      const ms = await timed(work);
      if (round >= 0)
        samples[name].push(ms / BENCH_BATCH_SIZE / (name.startsWith("batch") ? BATCHES : 1));
    }
  }
  const counted = await given.MANY_DB.prepare(
    "SELECT COUNT(*) AS count FROM ledger_entries",
  ).first<{ count: number }>();
  expect(counted?.count).toBeGreaterThan(given.BENCH_ENTRIES);
  const result: TransfersResult = { samples, entries: given.BENCH_ENTRIES, filledMs };
  console.log(`bench.ledger/transfers ${JSON.stringify(result)}`);
});

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

async function oneByOne(transfer: () => Promise<unknown>, times = BENCH_BATCH_SIZE): Promise<void> {
  for (let number = 0; number < times; number += 1) await transfer();
}

/** Returns the product's ledger statements of a sale. */
const posting = ({ ctx, creators }: Books) =>
  postingStatements(
    ctx,
    chargeSucceeded({
      chargeId: ctx.newId(),
      creatorId: randomCreator(creators),
      provider: "sandbox",
      grossCents: 1_990,
      feeCents: 100,
    }),
  );

const postings = (books: Books) =>
  Array.from({ length: BENCH_BATCH_SIZE }, () => posting(books)).flat();

const handBatch = ({ database, creators }: Books, transfers: number) =>
  database.batch(
    Array.from({ length: transfers }, () => handWrittenSale(randomSale(creators)))
      .flat()
      .map(({ sql, params }) => database.prepare(sql).bind(...params)),
  );
