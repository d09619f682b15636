import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { z } from "zod";
import { openDatabase } from "#app/db/client.server.ts";
import { batchRequestReads } from "#app/db/batched-reads.ts";
import type { Context } from "#app/domain/context.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { enqueueDueSubscriptions } from "#app/domain/subscriptions/renewals/commands/enqueue.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { sized } from "./size.ts";
import { chaoticProvider } from "#tests/support/chaos/provider.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { countedDatabase } from "#tests/support/round-trips.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { consume } from "#workers/consume.ts";
import { applyEvent, CONCURRENT_EVENTS } from "#workers/fees/apply-event.ts";
import { receiveWebhook } from "#workers/payment-webhooks/receive.ts";
import { RENEWALS_PER_RUN } from "#app/domain/subscriptions/commands/steps.server.ts";
import type { PaymentsResult } from "./payments.ts";

const sizedHere = (usual: number, small: number): number => sized(usual, small, { ...testEnv });
const ROUNDS = sizedHere(8, 1);
const EVENTS_A_ROUND = sizedHere(20, 2);
const MILLION = sizedHere(1_000_000, 200);
const FEW = sizedHere(500, 50);

type Asked = { query: string; params: unknown[] };

// The compared statements are written by hand.
allowBrokenInvariants();

test("payments", async () => {
  const { ctx: base } = await testContext({ webhooks: false });
  const provider = chaoticProvider(base.now);
  const ctx: Context = { ...base, payments: provider.port };
  const creator = await createSeller(ctx);
  const paid = async (): Promise<string> => {
    const fan = await createPerson(ctx, "Bruno");
    const { chargeId } = await startSubscription(ctx, {
      memberId: fan.id,
      memberName: fan.name,
      planPriceId: creator.priceId,
      method: "pix",
      cardToken: null,
    });
    const charge = provider.charges.get(`ch_${chargeId}`);
    if (!charge) throw new Error("no charge");
    provider.payCharge(charge);
    return charge.id;
  };
  let number = 0;
  const request = (objectId: string) =>
    new Request("https://coreto.test/webhooks/chaos", {
      method: "POST",
      body: JSON.stringify({ id: `evt_bench_${(number += 1)}`, type: "charge", objectId }),
    });
  const received = async (objectId: string): Promise<string> => {
    await receiveWebhook(ctx, request(objectId));
    return `chaos-evt_bench_${number}`;
  };
  const message = (id: string) => ({
    id,
    body: { version: 1, type: "inbox.received", id },
    attempts: 1,
    timestamp: new Date(),
    ack: () => undefined,
    retry: () => {
      throw new Error("retried");
    },
  });
  const schema = z.object({
    version: z.literal(1),
    type: z.literal("inbox.received"),
    id: z.string(),
  });
  // The context is composed as in the worker (workers/job.ts).
  const together: Context = { ...ctx, db: openDatabase(batchRequestReads(testEnv.DB)) };
  const inQueue = (ids: string[]) =>
    consume({ queue: "payment-events", messages: ids.map(message) } as unknown as MessageBatch, {
      ctx: together,
      schema,
      atOnce: CONCURRENT_EVENTS,
      run: (one, { id }) => applyEvent(one, { inboxId: id }),
    });

  const result: PaymentsResult = {
    intake: { coreto: [], bare: [] },
    oneByOne: { coreto: [], bare: [] },
    inBatches: { coreto: [], bare: [] },
    callsAnEvent: 0,
    due: [],
  };
  for (let round = -1; round < ROUNDS; round += 1) {
    const objects: string[] = [];
    for (let index = 0; index < EVENTS_A_ROUND * 3; index += 1) objects.push(await paid());
    const take = () => objects.splice(0, EVENTS_A_ROUND);
    const [single, batch, bare] = [take(), take(), take()];
    const times = new Map<string, number>();
    const timed = async (name: string, work: () => Promise<unknown>) => {
      const startedAt = performance.now();
      await work();
      times.set(name, (performance.now() - startedAt) / EVENTS_A_ROUND);
    };

    // Intake: the product's function, and its one statement by hand.
    const ids = { single: [] as string[], batch: [] as string[], bare: [] as string[] };
    const [intake] = await statementsOf(ctx, (one) => receiveWebhook(one, request("ch_intake")));
    const intakes = single.map((objectId) => request(objectId));
    const firstId = number - intakes.length + 1;
    const asDone = [
      () =>
        timed("intake", async () => {
          for (const one of intakes) await receiveWebhook(ctx, one);
        }),
      () =>
        timed("bare intake", async () => {
          for (let index = 0; index < EVENTS_A_ROUND; index += 1)
            await run([
              {
                query: intake?.query ?? "",
                params: renamed(intake?.params ?? [], `bare-${round}-${index}`),
              },
            ]);
        }),
    ];
    for (const act of round % 2 === 0 ? asDone : asDone.toReversed()) await act();
    ids.single = intakes.map((_, index) => `chaos-evt_bench_${firstId + index}`);
    for (const objectId of batch) ids.batch.push(await received(objectId));
    for (const objectId of bare) ids.bare.push(await received(objectId));

    // The pipeline: the statements of the last third are recorded first, and then written by hand,
    // one batch for each payment.
    const written: Asked[][] = [];
    for (const inboxId of ids.bare)
      written.push([
        ...(await statementsOf(ctx, (one) => applyEvent(one, { inboxId }))),
        { query: "update inbox set handled_at = ? where id = ?", params: [ctx.realNow(), inboxId] },
      ]);
    const pipelines = [
      () =>
        timed("one by one", async () => {
          for (const inboxId of ids.single) await applyEvent(ctx, { inboxId });
        }),
      () => timed("in batches", () => inQueue(ids.batch)),
      () =>
        timed("bare", async () => {
          for (const one of written) await run(one);
        }),
    ];
    for (let index = 0; index < pipelines.length; index += 1)
      await pipelines[(index + Math.abs(round)) % pipelines.length]?.();
    if (round < 0) continue;
    const at = (name: string) => times.get(name) ?? Number.NaN;
    result.intake.coreto.push(at("intake"));
    result.intake.bare.push(at("bare intake"));
    result.oneByOne.coreto.push(at("one by one"));
    result.oneByOne.bare.push(at("bare"));
    result.inBatches.coreto.push(at("in batches"));
    result.inBatches.bare.push(at("bare"));
  }
  const posted = await ctx.db.all<{ count: number }>(
    sql`SELECT COUNT(*) AS count FROM ledger_transactions WHERE kind = 'charge.succeeded' AND posted_at IS NOT NULL`,
  );
  expect(posted[0]?.count).toBe((ROUNDS + 1) * EVENTS_A_ROUND * 3);

  const counted = countedDatabase(testEnv.DB);
  const last = await received(await paid());
  await applyEvent({ ...ctx, db: openDatabase(counted.database) }, { inboxId: last });
  result.callsAnEvent = counted.count();

  for (const [subscriptions, due] of [
    [sizedHere(10_000, 100), FEW],
    [MILLION, FEW],
    [MILLION, MILLION],
  ] as const)
    result.due.push(await dueAmong(ctx, creator.id, subscriptions, due));
  console.log(`bench.payments ${JSON.stringify(result)}`);
});

/** Returns the writes of a command in order, without executing them. */
async function statementsOf(
  ctx: Context,
  work: (ctx: Context) => Promise<unknown>,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  const stop = new Error("taken down");
  const wrapped = new WeakMap<object, Asked>();
  const wrap = (statement: D1PreparedStatement, one: Asked): D1PreparedStatement => {
    const isRead = /^\s*select/i.test(one.query);
    const act = <Result>(real: () => Result): Result => {
      if (isRead) return real();
      asked.push(one);
      throw stop;
    };
    const made = {
      bind: (...params: unknown[]) => wrap(statement.bind(...params), { ...one, params }),
      run: () => act(() => statement.run()),
      all: () => act(() => statement.all()),
      raw: (options?: { columnNames?: false }) => act(() => statement.raw(options)),
      first: () => act(() => statement.first()),
    } as unknown as D1PreparedStatement;
    wrapped.set(made, one);
    inner.set(made, statement);
    return made;
  };
  const inner = new WeakMap<object, D1PreparedStatement>();
  const database = {
    prepare: (query: string) => wrap(testEnv.DB.prepare(query), { query, params: [] }),
    batch: (statements: D1PreparedStatement[]) => {
      const these = statements.map((one) => wrapped.get(one) ?? { query: "", params: [] });
      if (these.every(({ query }) => /^\s*select/i.test(query)))
        return testEnv.DB.batch(statements.map((one) => inner.get(one) ?? one));
      asked.push(...these);
      throw stop;
    },
  } as unknown as D1Database;
  await work({ ...ctx, db: openDatabase(database) }).catch(() => undefined);
  return asked;
}

const run = (asked: readonly Asked[]) =>
  testEnv.DB.batch(asked.map(({ query, params }) => testEnv.DB.prepare(query).bind(...params)));
const renamed = (params: readonly unknown[], name: string) =>
  params.map((one) =>
    typeof one === "string" && one.includes("evt_bench") ? `${one}-${name}` : one,
  );

/**
 * Fills the table up to `subscriptions`, of which `due` are past their period. Enqueues them page
 * by page in two runs of the cron. The second run skips what the first one enqueued.
 */
async function dueAmong(
  ctx: Context,
  creatorId: string,
  subscriptions: number,
  due: number,
): Promise<PaymentsResult["due"][number]> {
  const now = ctx.now();
  await testEnv.DB.prepare("DELETE FROM subscriptions WHERE id LIKE 'due-%'").run();
  // Subscriptions of earlier rounds are enqueued first, and not counted.
  await enqueueDueSubscriptions(ctx, { limit: MILLION });
  const step = 50_000;
  for (let from = 0; from < subscriptions; from += step) {
    const count = Math.min(step, subscriptions - from);
    await testEnv.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${from + count})
       INSERT INTO subscriptions (id, fan_id, creator_id, plan_id, plan_price_id, interval, amount_cents, method, status, started_at, current_period_starts_at, current_period_ends_at, access_until, calendar_at, created_at, updated_at)
       SELECT 'due-' || i, 'fan-' || i, ?, 'plan', 'price', 'monthly', 1990, 'pix', 'active', 1, 1, CASE WHEN i < ${due} THEN ? - i ELSE ? + i END, ?, CASE WHEN i < ${due} THEN ? - i ELSE ? + i END, 1, 1 FROM n`,
    )
      .bind(
        creatorId,
        now - DAY_MS,
        now + 5 * DAY_MS,
        now + 40 * DAY_MS,
        now - DAY_MS,
        now + 2 * DAY_MS,
      )
      .run();
  }
  const tap = recordDatabase(testEnv.DB);
  const watched = { ...ctx, db: openDatabase(tap.database) };
  const startedAt = performance.now();
  let found = 0;
  for (let run = 0; run < 2; run += 1)
    found += await enqueueDueSubscriptions(watched, { limit: RENEWALS_PER_RUN });
  const ms = performance.now() - startedAt;
  const rowsRead = tap.trips.flat().reduce((sum, one) => sum + one.rowsRead, 0);
  return { subscriptions, due, found, rowsRead, ms };
}
