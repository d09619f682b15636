import { expect, test } from "vitest";
import { commit, openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { chargeSucceeded } from "#app/domain/ledger/rules.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { testEnv } from "#tests/support/worker-env.ts";

// The postings have no charge rows.
allowBrokenInvariants();

const HISTORY = 200;

let sales = 0;
const sale = (ctx: Context) =>
  postingStatements(
    ctx,
    chargeSucceeded({
      chargeId: `sale-${(sales += 1)}`,
      creatorId: "ana",
      provider: "sandbox",
      grossCents: 1_990,
      feeCents: 100,
    }),
  );

/** Returns the rows that one posting reads, as D1 counts them, and its statements and calls. */
async function costs(
  ctx: Context,
): Promise<{ rowsRead: number; statements: number; calls: number }> {
  const tap = recordDatabase(testEnv.DB);
  const db = openDatabase(tap.database);
  await commit(db, sale({ ...ctx, db }));
  const asked = tap.trips.flat();
  return {
    rowsRead: asked.reduce((sum, one) => sum + one.rowsRead, 0),
    statements: asked.length,
    calls: tap.trips.length,
  };
}

test("a posting reads only its own entries, however many its accounts have, in one call to D1", async () => {
  const { ctx } = await testContext();
  await commit(ctx.db, sale(ctx));
  const first = await costs(ctx);
  for (let posted = 0; posted < HISTORY; posted += 20)
    await commit(ctx.db, Array.from({ length: 20 }, () => sale(ctx)).flat());
  expect(await costs(ctx)).toEqual(first);
  expect(first).toMatchObject({ calls: 1 });
  expect(first.rowsRead).toBeLessThan(100);
});
