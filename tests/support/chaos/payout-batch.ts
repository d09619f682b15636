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

/** One creator in this many has a Pix key that no bank knows. */
const BAD_KEY_EVERY = 10;
/** Percent of transfer calls that fail before they have an effect, and of those that fail after. */
const FAILS_PERCENT = 10;
/**
 * The longest back-off of a failed payout is half an hour. Every payout that can finish alone does
 * so within this many runs.
 */
const RUNS_AT_MOST = 12;
const BETWEEN_RUNS_MS = 31 * MINUTE_MS;

export type PayoutBatch = {
  /** Runs one Monday's batch, whose process dies at crash point `at`. Throws what went wrong. */
  monday(at: number, more: { isTwice: boolean }): Promise<"finished" | "crashed">;
  /**
   * Transfer calls so far, those that never reached the provider (`lost`) and those whose answer
   * never came back (`unanswered`).
   */
  calls(): { calls: number; lost: number; unanswered: number };
};

type Luck = { dice: Dice; isOn: boolean; calls: number; lost: number; unanswered: number };

const message = z.looseObject({ version: z.literal(1), type: z.string(), id: z.string() });

/**
 * Creates `creators` sellers, numbered from `first`, who are all paid out on Mondays. The provider
 * loses calls and answers at random from `seed`. Sellers of earlier batches switch to manual
 * payouts.
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
  // Faults wrap the port outside of the crash points: a live process sees the lost answer.
  (ctx as { payments: Context["payments"] }).payments = unluckyPort(ctx.payments, luck);
  const who = { from: first, to: first + creators };
  // The clock starts over. Charges that another batch paid at a later time must count as settled.
  // Otherwise the payouts of that batch would reduce this one's balance.
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
    const before = await currentState(who);
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
    // This last run retries the events that failed meanwhile. Nothing is left for the next Monday.
    await restartWorkers(world);
    await world.advance(BETWEEN_RUNS_MS);
    await nextRun(world);
    const problems = verdict(before, await currentState(who));
    if (problems.length > 0)
      throw new Error(`round ${round}, died at ${at}: ${problems.slice(0, 5).join("; ")}`);
    // No test here reads the emails.
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

/** Wraps the port so that transfer calls get lost, or lose their answer. */
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

/** Advances to the next Monday, on which no batch ran yet. */
async function untilMonday(world: World): Promise<void> {
  let days = 1;
  while (!schedulesDueOn(world.ctx.now() + days * DAY_MS).includes("weekly")) days += 1;
  await world.advance(days * DAY_MS);
}

/**
 * Runs the queue consumer over the queued messages. Each is acked or left for the cron. `isTwice`
 * delivers every message to two consumers at once.
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

/** Runs the crons after a restart, and the messages that they enqueue. */
async function nextRun(world: World): Promise<void> {
  await world.console("/sandbox/tick");
  await sweepInbox(world.ctx);
  await runPayouts(world.ctx);
  await deliver(world, { isTwice: false });
  await world.console("/sandbox/tick");
  await deliver(world, { isTwice: false });
}

/** SQL condition: the column holds the id of a generated creator in the range. */
const are = (column: string, { from, to }: CreatorRange): string =>
  `(${column} LIKE 'earner-%' AND CAST(substr(${column}, 8) AS INTEGER) BETWEEN ${from} AND ${to - 1})`;

type CurrentState = {
  /** In centavos, by creator. */ available: Map<string, number>;
  paidAtProvider: Map<string, { count: number; cents: number }>;
  payouts: Map<string, { status: string; cents: number }[]>;
};

/** Loads each creator's money from our ledger, our payouts and the provider's list of transfers. */
async function currentState(who: CreatorRange): Promise<CurrentState> {
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

/** Whether every payout has a final status and every creator got one in the last half day. */
async function isOver(who: CreatorRange, now: number): Promise<boolean> {
  const open = await testEnv.DB.prepare(
    `SELECT (SELECT COUNT(*) FROM payouts WHERE ${are("creator_id", who)} AND status IN ('requested', 'held', 'claimed', 'sent')) + ? - (SELECT COUNT(DISTINCT creator_id) FROM payouts WHERE ${are("creator_id", who)} AND requested_at > ?) AS count`,
  )
    .bind(who.to - who.from, now - DAY_MS / 2)
    .first<{ count: number }>();
  return open?.count === 0;
}

/** The first payouts without a final status, as text. */
async function open(who: CreatorRange): Promise<string> {
  const { results } = await testEnv.DB.prepare(
    `SELECT creator_id, status, held_reason, waits_for, amount_cents, requested_at FROM payouts WHERE ${are("creator_id", who)} AND status IN ('requested', 'held', 'claimed', 'sent') LIMIT 5`,
  ).all();
  return JSON.stringify(results);
}

/**
 * Lists what is wrong after a Monday. Each creator must have exactly one new payout. It either paid
 * the whole available balance once, or failed for a bad key and left the balance as it was.
 */
function verdict(before: CurrentState, after: CurrentState): string[] {
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
