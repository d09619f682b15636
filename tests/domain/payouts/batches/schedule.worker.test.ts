import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { requestScheduledPayouts } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { creatorsDueForPayout } from "#app/domain/payouts/batches/queries/due.server.ts";
import { schedulesDueOn } from "#app/domain/payouts/batches/rules/schedules.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { testContext } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { generatedCreatorStatements, saleStatements } from "#tests/support/many-creators.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const PAGE = 1_000;
const CREATORS = PAGE + 200;
const FEW = 50;

async function watched(
  ctx: Context,
  work: (ctx: Context) => Promise<unknown>,
): Promise<{ rowsRead: number; calls: number }> {
  const tap = recordDatabase(testEnv.DB);
  await work({ ...ctx, db: openDatabase(tap.database) });
  return {
    rowsRead: tap.trips.flat().reduce((sum, one) => sum + one.rowsRead, 0),
    calls: tap.trips.length,
  };
}

test("a payout batch is planned page by page: calls follow the number of creators, and each gets one payout", async () => {
  const { ctx: base, queued } = await testContext();
  let now = base.now();
  while (!schedulesDueOn(now).includes("weekly")) now += DAY_MS;
  const ctx: Context = { ...base, now: () => now };
  const who = { from: 0, to: CREATORS };
  for (const statement of [
    ...generatedCreatorStatements(who, { now: now - DAY_MS }),
    ...saleStatements({ ...who, round: 1, now: now - DAY_MS, provider: "sandbox" }),
  ])
    await testEnv.DB.prepare(statement).run();

  const page = (afterCreatorId: string) =>
    watched(ctx, (one) =>
      creatorsDueForPayout(one, {
        afterCreatorId,
        schedules: ["weekly"],
        now,
        since: now,
        limit: FEW,
      }),
    );
  for (const after of ["", "earner-5"]) expect((await page(after)).rowsRead).toBeLessThan(FEW * 10);

  const isOnce = async () =>
    await testEnv.DB.prepare(
      "SELECT COUNT(*) AS payouts, COUNT(DISTINCT creator_id) AS creators, COUNT(DISTINCT batch_id) AS batches FROM payouts WHERE status = 'requested' AND provider = 'sandbox' AND requested_at = ?",
    )
      .bind(now)
      .first();
  const whole = await watched(ctx, requestScheduledPayouts);
  expect(await isOnce()).toEqual({ payouts: CREATORS, creators: CREATORS, batches: 1 });
  expect(new Set(queued.map(({ type, id }) => `${type} ${id}`)).size).toBe(CREATORS);
  // One call lists the batches, one starts this batch, one reads it, and each page takes two.
  expect(whole.calls).toBe(3 + 2 * 2);
  expect(whole.rowsRead).toBeLessThan(CREATORS * 20);
  await requestScheduledPayouts(ctx);
  expect(await isOnce()).toEqual({ payouts: CREATORS, creators: CREATORS, batches: 1 });
});

test("a payout requested by its creator while the page was read is kept, and blocks nobody else", async () => {
  const { ctx } = await testContext();
  let now = ctx.now() + 8 * DAY_MS;
  while (!schedulesDueOn(now).includes("weekly")) now += DAY_MS;
  await testEnv.DB.prepare("UPDATE payouts SET status = 'canceled'").run();
  const meanwhile: Context = {
    ...ctx,
    now: () => now,
    db: openDatabase({
      prepare: (query: string) => testEnv.DB.prepare(query),
      batch: async (statements: D1PreparedStatement[]) => {
        await testEnv.DB.prepare(
          "INSERT INTO payouts (id, creator_id, amount_cents, status, pix_key_kind, pix_key, provider, requested_at) VALUES ('by-hand', 'earner-7', 0, 'requested', 'email', 'a@exemplo.test', 'sandbox', 1) ON CONFLICT DO NOTHING",
        ).run();
        return await testEnv.DB.batch(statements);
      },
    } as unknown as D1Database),
  };
  await requestScheduledPayouts(meanwhile);
  const { results } = await testEnv.DB.prepare(
    "SELECT creator_id AS creatorId, COUNT(*) AS open, MAX(id) AS id FROM payouts WHERE status = 'requested' GROUP BY creator_id",
  ).all<{ creatorId: string; open: number; id: string }>();
  expect(results).toHaveLength(CREATORS);
  expect(results.every(({ open }) => open === 1)).toBe(true);
  expect(results.find(({ creatorId }) => creatorId === "earner-7")?.id).toBe("by-hand");
});
