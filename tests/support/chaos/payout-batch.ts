import { z } from "zod";
import type { Context } from "#app/domain/context.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { schedulesDueOn } from "#app/domain/payouts/batches/rules/schedules.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testClock } from "#tests/support/clock.ts";
import { runMessage } from "#tests/support/context.ts";
import type { Message, World } from "#tests/support/context.ts";
import { survives } from "#tests/support/crash.ts";
import {
  generatedCreatorId,
  generatedCreatorStatements,
  saleAtSandboxStatement,
  saleStatements,
} from "#tests/support/many-creators.ts";
import type { CreatorRange } from "#tests/support/many-creators.ts";
import { restartWorkers, createCrashWorld } from "#tests/support/crash-world.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { consume } from "#workers/consume.ts";
import { sweepInbox } from "#workers/fees/apply-event.ts";
import { runPayouts } from "#workers/payouts/run.ts";
import { createDice } from "./scheduler.ts";
import type { Dice } from "./scheduler.ts";

/** One creator in so many has a key that no bank knows. */
const BAD_KEY_EVERY = 10;
/** Of a provider's calls to move money: as many fail without an effect, and as many more after it. */
const FAILS_PERCENT = 10;
/**
 * What waits longest after failing does so half an hour; as many runs see the end of whatever goes
 * on by itself.
 */
const RUNS_AT_MOST = 12;
const BETWEEN_RUNS_MS = 31 * MINUTE_MS;

export type PayoutBatch = {
  /** One Monday: `at` is the point at which its process dies. What went wrong is thrown. */
  monday(at: number, more: { isTwice: boolean }): Promise<"finished" | "crashed">;
  /**
   * What it was asked about transfers so far, and how much of that never reached the provider or
   * never came back.
   */
  calls(): { calls: number; lost: number; unanswered: number };
};

type Luck = { dice: Dice; isOn: boolean; calls: number; lost: number; unanswered: number };

const message = z.looseObject({ version: z.literal(1), type: z.string(), id: z.string() });

/**
 * `creators` who are all paid out on Mondays, from number `first` on, by a provider that loses
 * calls and answers as `seed` deals it. Whoever was paid out before them is not any more.
 */
export async function openPayoutBatch({
  creators,
  seed,
  first = 0,
}: {
  creators: number;
  seed: number;
  first?: number;
}): Promise<PayoutBatch> {
  const { world, points } = await createCrashWorld();
  const { ctx } = world;
  const luck: Luck = { dice: createDice(seed), isOn: false, calls: 0, lost: 0, unanswered: 0 };
  // Outside of what may die: an answer that is lost is lost on its way to a process that lives.
  (ctx as { payments: Context["payments"] }).payments = unluckyPort(ctx.payments, luck);
  const who = { from: first, to: first + creators };
  // The clock begins anew: what was paid in a later time of another batch is there, or its payouts
  // would weigh on this one.
  await run(testEnv.PSP_DB, ["UPDATE charges SET settles_at = 0"]);
  await run(testEnv.DB, [
    "UPDATE withdrawal_methods SET schedule = 'manual'",
    "DELETE FROM payout_batches",
    ...generatedCreatorStatements(who, { now: ctx.now(), badKeyEvery: BAD_KEY_EVERY }),
  ]);
  let round = 0;

  async function monday(
    at: number,
    { isTwice }: { isTwice: boolean },
  ): Promise<"finished" | "crashed"> {
    round += 1;
    await untilMonday(world);
    const sales = { ...who, round, now: ctx.now() };
    await run(testEnv.DB, saleStatements({ ...sales, provider: ctx.payments.name }));
    await run(testEnv.PSP_DB, [saleAtSandboxStatement(sales)]);
    const before = await standing(who);
    Object.assign(luck, { dice: createDice(seed), isOn: true });
    points.arm(at);
    const end = await survives(points, async () => {
      await Promise.all(Array.from({ length: isTwice ? 2 : 1 }, () => runPayouts(ctx)));
      await deliver(world, { isTwice });
      await world.console("/sandbox/tick");
      await deliver(world, { isTwice });
    });
    world.queued.splice(0);
    points.disarm();
    for (let runs = 0; !(await isOver(who, ctx.now())); runs += 1) {
      if (runs === RUNS_AT_MOST)
        throw new Error(
          `round ${round}, died at ${at}: not over after ${runs} runs: ${await open(who)}; ${JSON.stringify(world.logged.slice(-12))}`,
        );
      await restartWorkers(world);
      await world.advance(runs === 0 ? MINUTE_MS : BETWEEN_RUNS_MS);
      await nextRun(world);
    }
    luck.isOn = false;
    // What was told meanwhile and failed has had its turn once this run is over: nothing is left
    // for another Monday.
    await restartWorkers(world);
    await world.advance(BETWEEN_RUNS_MS);
    await nextRun(world);
    const problems = verdict(before, await standing(who));
    if (problems.length > 0)
      throw new Error(`round ${round}, died at ${at}: ${problems.slice(0, 5).join("; ")}`);
    // Nobody reads the letters here.
    await testEnv.DB.prepare(
      "UPDATE outbox SET handled_at = created_at WHERE handled_at IS NULL",
    ).run();
    await expectInvariantsToHold(ctx);
    return end;
  }
  return {
    monday,
    calls: () => ({ calls: luck.calls, lost: luck.lost, unanswered: luck.unanswered }),
  };
}

/** What it is asked about transfers does not arrive, or its answer does not come back. */
function unluckyPort(port: PaymentProvider, luck: Luck): PaymentProvider {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function" || !String(name).startsWith("transfer")) return value;
      return (...given: unknown[]) =>
        unclearly(
          luck,
          async () => await (Reflect.apply(value, target, given) as Promise<unknown>),
        );
    },
  });
}

async function unclearly<Answer>(luck: Luck, call: () => Promise<Answer>): Promise<Answer> {
  const isUnlucky = () => luck.isOn && luck.dice.chance(FAILS_PERCENT);
  luck.calls += 1;
  if (isUnlucky()) {
    luck.lost += 1;
    throw new ProviderUnclear("503");
  }
  const answer = await call();
  if (!isUnlucky()) return answer;
  luck.unanswered += 1;
  throw new ProviderUnclear("the answer was lost");
}

/** The next Monday: no batch ran on it. */
async function untilMonday(world: World): Promise<void> {
  let days = 1;
  while (!schedulesDueOn(world.ctx.now() + days * DAY_MS).includes("weekly")) days += 1;
  await world.advance(days * DAY_MS);
}

/**
 * What is queued, as the queue workers take it: a page of messages, each acked or left for the
 * cron; `isTwice` delivers every message to two at once.
 */
async function deliver({ ctx, queued }: World, { isTwice }: { isTwice: boolean }): Promise<void> {
  while (queued.length > 0) {
    const bodies = queued.splice(0).filter(({ type }) => type !== "outbox.deliver");
    const messages = bodies.map((body) => ({
      id: body.id,
      body,
      attempts: 1,
      timestamp: testClock.date(),
      ack: () => undefined,
      retry: () => undefined,
    }));
    const batch = { queue: "payouts", messages } as unknown as MessageBatch;
    const consumed = () =>
      consume(batch, {
        ctx,
        schema: message,
        run: (one, body) => runMessage(one, body as Message),
      });
    await Promise.all(Array.from({ length: isTwice ? 2 : 1 }, consumed));
  }
}

/** The crons of a process that came back, and what they enqueue. */
async function nextRun(world: World): Promise<void> {
  await world.console("/sandbox/tick");
  await sweepInbox(world.ctx);
  await runPayouts(world.ctx);
  await deliver(world, { isTwice: false });
  await world.console("/sandbox/tick");
  await deliver(world, { isTwice: false });
}

/** Whether a column names one of them. */
const are = (column: string, { from, to }: CreatorRange): string =>
  `(${column} LIKE 'earner-%' AND CAST(substr(${column}, 8) AS INTEGER) BETWEEN ${from} AND ${to - 1})`;

type Standing = {
  /** In centavos, by creator. */ available: Map<string, number>;
  paidAtProvider: Map<string, { count: number; cents: number }>;
  payouts: Map<string, { status: string; cents: number }[]>;
};

/**
 * Where the money of each creator is: by the books, by the payouts, and by the provider's own list
 * of transfers.
 */
async function standing(who: CreatorRange): Promise<Standing> {
  const all = async <Row>(database: D1Database, sql: string) =>
    (await database.prepare(sql).all<Row>()).results;
  const books = await all<{ id: string; cents: number }>(
    testEnv.DB,
    `SELECT owner_id AS id, -balance_cents AS cents FROM ledger_accounts WHERE kind = 'creator_available' AND ${are("owner_id", who)}`,
  );
  const rows = await all<{ id: string; creator: string; status: string; cents: number }>(
    testEnv.DB,
    `SELECT id, creator_id AS creator, status, amount_cents AS cents FROM payouts WHERE ${are("creator_id", who)} ORDER BY requested_at, id`,
  );
  const sent = await all<{ reference: string; status: string; cents: number }>(
    testEnv.PSP_DB,
    "SELECT reference, status, amount_cents AS cents FROM transfers",
  );
  const ofWhom = new Map(rows.map(({ id, creator }) => [id, creator]));
  const ids = Array.from({ length: who.to - who.from }, (_, n) => generatedCreatorId(who.from + n));
  const paid = sent
    .filter(({ status }) => status === "paid")
    .map(({ reference, cents }) => ({
      creator: ofWhom.get(reference) ?? `nobody's ${reference}`,
      cents,
    }));
  return {
    available: new Map(books.map(({ id, cents }) => [id, cents])),
    payouts: new Map(ids.map((id) => [id, rows.filter(({ creator }) => creator === id)])),
    paidAtProvider: new Map(
      Object.entries(Object.groupBy(paid, ({ creator }) => creator)).map(([creator, list = []]) => [
        creator,
        { count: list.length, cents: list.reduce((sum, { cents }) => sum + cents, 0) },
      ]),
    ),
  };
}

/** Every payout came to its end, and whoever had money has a payout. */
async function isOver(who: CreatorRange, now: number): Promise<boolean> {
  const open = await testEnv.DB.prepare(
    `SELECT (SELECT COUNT(*) FROM payouts WHERE ${are("creator_id", who)} AND status IN ('requested', 'held', 'claimed', 'sent')) + ? - (SELECT COUNT(DISTINCT creator_id) FROM payouts WHERE ${are("creator_id", who)} AND requested_at > ?) AS count`,
  )
    .bind(who.to - who.from, now - DAY_MS / 2)
    .first<{ count: number }>();
  return open?.count === 0;
}

/** What did not come to its end, in words. */
async function open(who: CreatorRange): Promise<string> {
  const { results } = await testEnv.DB.prepare(
    `SELECT creator_id, status, held_reason, waits_for, amount_cents, requested_at FROM payouts WHERE ${are("creator_id", who)} AND status IN ('requested', 'held', 'claimed', 'sent') LIMIT 5`,
  ).all();
  return JSON.stringify(results);
}

/**
 * What is wrong after a Monday: everybody has one payout more; it is paid once, of everything that
 * was available, or failed and everything is available still.
 */
function verdict(before: Standing, after: Standing): string[] {
  return [...before.available].flatMap(([id, availableCents]) => {
    const made = (after.payouts.get(id) ?? []).slice((before.payouts.get(id) ?? []).length);
    const [was, is] = [before, after].map(
      ({ paidAtProvider }) => paidAtProvider.get(id) ?? { count: 0, cents: 0 },
    );
    const [paidTimes, paidCents] = [
      (is?.count ?? 0) - (was?.count ?? 0),
      (is?.cents ?? 0) - (was?.cents ?? 0),
    ];
    const isPaid =
      made.length === 1 &&
      made[0]?.status === "paid" &&
      made[0].cents === availableCents &&
      paidTimes === 1 &&
      paidCents === availableCents &&
      after.available.get(id) === 0;
    const isNotAtAll =
      made.length === 1 &&
      made[0]?.status === "failed" &&
      paidTimes === 0 &&
      after.available.get(id) === availableCents &&
      isBadKey(id);
    return isPaid || isNotAtAll
      ? []
      : [
          `${id} had ${availableCents}: ${JSON.stringify(made)}, ${paidTimes} transfers of ${paidCents}, ${after.available.get(id)} left`,
        ];
  });
}

const isBadKey = (id: string): boolean => Number(id.slice("earner-".length)) % BAD_KEY_EVERY === 0;

async function run(database: D1Database, statements: string[]): Promise<void> {
  for (const statement of statements) await database.prepare(statement).run();
}
