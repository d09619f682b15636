import { inArray } from "drizzle-orm";
import { z } from "zod";
import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { Refusal } from "#app/domain/errors.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { createPaymentRouter } from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentProviders } from "#app/domain/payments/schema.ts";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { accountErasure } from "#app/integrations/account-erasure.server.ts";
import { localMailer } from "#app/integrations/mail/local-mailer.server.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { runMessage, testContext } from "#tests/support/context.ts";
import type { Message } from "#tests/support/context.ts";
import { crashPoints } from "#tests/support/crash.ts";
import { createSeller, createTrialPerson } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { otherPlan } from "#tests/support/plan-changes.ts";
import { soldCollection, soldPost } from "#tests/support/purchases.ts";
import { takenBy } from "#tests/support/takers.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { consume } from "#workers/consume.ts";
import type { PendingDelivery } from "./provider-state.ts";
import { chaoticProvider } from "./provider.ts";
import type { ChaoticProvider } from "./provider.ts";
import { createDice, createScheduler } from "./scheduler.ts";
import type { Dice } from "./scheduler.ts";

export type WorldWork = (ctx: Context) => Promise<unknown>;

/**
 * The product with a real D1 and the real code of its workers. The provider, the clock and the
 * queues are in memory and controlled by the test.
 */
export type SeededWorld = {
  ctx: Context;
  provider: ChaoticProvider;
  sellers: Seller[];
  fans: TestPerson[];
  posts: string[];
  collections: string[];
  /** Code of a coupon that both creators offer, limited to a few uses. */
  coupon: string;
  queue: Message[];
  /** Unexpected errors, which a person would have seen or a worker would retry for ever. */
  findings: string[];
  /**
   * Runs each work as its own process, all at once. The one at index `dies.who` crashes at its
   * crash point number `dies.at`. Returns whether any of them finished.
   */
  together(
    name: string,
    works: readonly WorldWork[],
    dies: { who: number; at: number } | null,
  ): Promise<boolean>;
  /** Consumes queue messages in the same way. A message that is not acked returns to the queue. */
  consumed(
    messages: readonly Message[],
    dies: { who: number; at: number } | null,
  ): Promise<boolean>;
  /** Restarts the random numbers from `seed`. */
  deal(seed: number): Dice;
  advance(ms: number): void;
  due(): PendingDelivery[];
};

const STARTS_AT = Date.UTC(2027, 0, 29, 15);
let ids = 0;

/** The trial days of the first seller's plan. */
export const WORLD_TRIAL_DAYS = 7;

/**
 * Creates a seeded world in an empty database. It has two sellers: one with a trial and two more
 * plans, one with few seats. It has five buyers, and a post, a collection and a coupon for each
 * seller. With `hasTwoProviders`, the second provider takes the cards.
 */
export async function createSeededWorld({
  hasTwoProviders = false,
}: { hasTwoProviders?: boolean } = {}): Promise<SeededWorld> {
  await emptied(testEnv.DB);
  const world = await testContext({ webhooks: false });
  let now = STARTS_AT;
  const clock = () => now;
  const [provider, stage] = [chaoticProvider(clock), createScheduler()];
  const payments = hasTwoProviders
    ? createPaymentRouter(
        [provider.port, provider.cards],
        takenBy({
          pix: provider.port.name,
          card: provider.cards.name,
        }),
      )
    : provider.port;
  const queue: Message[] = [];
  const findings: string[] = [];
  let current = createDice(0);
  const send = async (message: Message) => {
    if (!current.chance(provider.luck.weather.drop)) queue.push(message);
  };
  const sendAll = async (messages: readonly Message[]) => {
    for (const message of messages) await send(message);
  };
  const lossy = { send, sendAll };
  const queues = () => ({
    paymentEvents: lossy,
    payouts: lossy,
    notifications: lossy,
    fanOut: lossy,
    renewals: lossy,
  });
  const newId = () =>
    `${now.toString(16).padStart(12, "0")}7${(ids += 1).toString(16).padStart(19, "0")}`;
  const base: Context = {
    ...world.ctx,
    now: clock,
    realNow: clock,
    newId,
    payments,
    queues: queues(),
    mailer: localMailer(world.ctx.db, clock),
  };
  function processOf(
    name: string,
    work: WorldWork,
    at: number | null,
    ended: () => void,
  ): () => Promise<void> {
    return async () => {
      const points = crashPoints(stage.turn);
      if (at !== null) points.arm(at);
      const db = openDatabase(points.database(testEnv.DB));
      const mortal = Object.fromEntries(
        Object.entries(queues()).map(([key, one]) => [key, points.port(one)]),
      ) as Context["queues"];
      const log: Context["log"] = (event, fields) => {
        const isFault =
          event === "queue.message_failed" &&
          !/^(ProviderUnclear|StaleWrite)\b/.test(String(fields?.error));
        if (isFault && !points.crashed()) findings.push(`${name}: ${JSON.stringify(fields)}`);
      };
      try {
        await work({
          ...base,
          log,
          db,
          payments: mortalPayments(payments, points),
          queues: mortal,
          mailer: localMailer(db, clock),
          accounts: accountErasure(db, null),
        });
        ended();
      } catch (error) {
        if (points.crashed() || error instanceof Refusal || error instanceof ProviderUnclear)
          return;
        findings.push(
          `${name}: ${error instanceof Error ? `${error.name}: ${error.message} ${String(error.cause ?? "")}` : String(error)}`,
        );
      }
    };
  }

  const seededWorld: SeededWorld = {
    ctx: base,
    provider,
    sellers: [],
    fans: [],
    posts: [],
    collections: [],
    coupon: "FEIRA10",
    queue,
    findings,
    deal(seed) {
      current = createDice(seed);
      provider.luck.dice = current;
      return current;
    },
    advance(ms) {
      now += ms;
      provider.passTime();
    },
    due: () => provider.deliveries.filter(({ dueAt }) => dueAt <= now),
    async together(name, works, dies) {
      let isAnyAtItsEnd = false;
      // Only the works of one call start in the same millisecond.
      now += 1;
      await stage.together(
        works.map((work, index) =>
          processOf(name, work, dies?.who === index ? dies.at : null, () => (isAnyAtItsEnd = true)),
        ),
        current,
      );
      return isAnyAtItsEnd;
    },
    consumed: (messages, dies) =>
      seededWorld.together(
        "queue",
        messages.map((message) => (ctx: Context) => consumedOne(ctx, message, queue)),
        dies,
      ),
  };
  seededWorld.sellers.push(
    await createSeller(base, { trialDays: WORLD_TRIAL_DAYS }),
    await createSeller(base, { seatsLimit: 2 }),
  );
  const [first] = seededWorld.sellers;
  if (first)
    await otherPlan(base, first.id, {
      name: "Palco",
      monthly: 6_000,
      annual: 60_000,
      seatsLimit: 2,
    });
  if (first) await otherPlan(base, first.id, { name: "Janela", monthly: 1_200 });
  for (const name of ["Bruno", "Clara", "Davi", "Eva", "Gil"])
    seededWorld.fans.push(await createTrialPerson(base, name));
  for (const one of seededWorld.sellers) {
    const { postId } = await soldPost(base, one);
    seededWorld.posts.push(postId);
    seededWorld.collections.push((await soldCollection(base, one, [postId])).collectionId);
    await createCoupon(base, {
      creatorId: one.id,
      code: seededWorld.coupon,
      percent: 10,
      amountCents: null,
      cycles: 2,
      usesLimit: 3,
      expiresAt: null,
      planIds: null,
    });
  }
  await base.db
    .update(withdrawalMethods)
    .set({ schedule: "manual" })
    .where(
      inArray(
        withdrawalMethods.creatorId,
        seededWorld.sellers.map(({ id }) => id),
      ),
    );
  return seededWorld;
}

/** Adds crash points to every call of each provider. */
function mortalPayments(
  payments: PaymentProviders,
  points: ReturnType<typeof crashPoints>,
): PaymentProviders {
  if (!("providers" in payments)) return points.port(payments);
  const [pix, card] = [points.port(payments.pix), points.port(payments.card)];
  return createPaymentRouter([pix, card], takenBy({ pix: pix.name, card: card.name }));
}

/** Consumes one message as the workers do. A message that is not acked returns to the queue. */
async function consumedOne(ctx: Context, message: Message, queue: Message[]): Promise<void> {
  let isAcked = false;
  const delivery = {
    id: message.id,
    body: message,
    attempts: 1,
    timestamp: new Date(0),
    ack: () => (isAcked = true),
    retry: () => undefined,
  };
  await consume({ queue: "any", messages: [delivery] } as unknown as MessageBatch, {
    ctx,
    schema: z.custom<Message>(),
    run: runMessage,
  });
  if (!isAcked) queue.push(message);
}

/**
 * Empties the database. Drops the triggers that forbid deletion, and creates them again at the end.
 * The full-text index stays, because no test here searches.
 */
async function emptied(db: D1Database): Promise<void> {
  const { results } = await db
    .prepare(
      "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'd1\\_%' ESCAPE '\\' AND name NOT LIKE '\\_%' ESCAPE '\\'",
    )
    .all<{ type: string; name: string; sql: string }>();
  const indexed = results
    .filter(({ sql }) => sql.startsWith("CREATE VIRTUAL"))
    .map(({ name }) => name);
  const tables = results.filter(
    ({ type, name }) =>
      type === "table" &&
      !name.startsWith("sqlite_") &&
      !indexed.some((index) => name === index || name.startsWith(`${index}_`)),
  );
  const triggers = results.filter(({ type }) => type === "trigger");
  await db.batch([
    ...triggers.map(({ name }) => db.prepare(`DROP TRIGGER "${name}"`)),
    ...tables.map(({ name }) => db.prepare(`DELETE FROM "${name}"`)),
    ...triggers.map(({ sql }) => db.prepare(sql)),
  ]);
}
