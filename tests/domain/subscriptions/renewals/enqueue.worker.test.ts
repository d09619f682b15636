import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { recordFailure } from "#app/domain/retry-backoff/commands.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import {
  enqueueDueSubscriptions,
  ENQUEUE_PAGE_SIZE,
} from "#app/domain/subscriptions/renewals/commands/enqueue.server.ts";
import { ENQUEUED_LIFETIME_MS } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { runMessage, testContext } from "#tests/support/context.ts";
import type { Message, World } from "#tests/support/context.ts";
import { crashPoints, survives } from "#tests/support/crash.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { deleteDueSubscriptions, insertDueSubscriptions, enqueuedIds } from "#tests/support/due.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ana: Seller;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});

const MANY = 100_000;
const run = (limit = MANY) => enqueueDueSubscriptions(world.ctx, { limit });
const isOfCalendar = ({ type }: Message) => type === "subscription.renew";
/** Takes the messages out of the renewals queue and returns them. */
const inQueue = () => world.queued.splice(0).filter(isOfCalendar);
const ids = (messages: readonly Message[]) => messages.map(({ id }) => id);
const numbered = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `due-${from + at}`).toSorted();

describe("enqueueing thousands of due subscriptions", () => {
  afterEach(deleteDueSubscriptions);
  const due = (count: number, more: { from?: number; stepMs?: number } = {}) =>
    insertDueSubscriptions({ creatorId: ana.id, at: world.ctx.now() - DAY_MS, count, ...more });

  test("enqueues each due subscription once in one run, across pages and equal due times", async () => {
    const count = 2 * ENQUEUE_PAGE_SIZE + 500;
    await due(count);
    expect(await run()).toBe(count);
    expect(ids(inQueue()).toSorted()).toEqual(numbered(0, count));
    expect(await run()).toBe(0);
  });

  test("a run stops at its limit, takes the longest overdue first, and the next run continues", async () => {
    await due(3 * ENQUEUE_PAGE_SIZE, { stepMs: 1 });
    expect(await run(ENQUEUE_PAGE_SIZE)).toBe(ENQUEUE_PAGE_SIZE);
    expect(ids(inQueue()).toSorted()).toEqual(numbered(2 * ENQUEUE_PAGE_SIZE, ENQUEUE_PAGE_SIZE));
    expect(await run(ENQUEUE_PAGE_SIZE)).toBe(ENQUEUE_PAGE_SIZE);
    expect(ids(inQueue()).toSorted()).toEqual(numbered(ENQUEUE_PAGE_SIZE, ENQUEUE_PAGE_SIZE));
    expect(await enqueueDueSubscriptions(world.ctx, { limit: MANY, hasRoom: () => false })).toBe(0);
  });

  test("reads rows in proportion to what it enqueues, whatever else is due, enqueued, backed off or not due yet", async () => {
    const rowsOf = async (limit: number) => {
      const tap = recordDatabase(testEnv.DB);
      expect(
        await enqueueDueSubscriptions({ ...world.ctx, db: openDatabase(tap.database) }, { limit }),
      ).toBe(limit);
      world.queued.splice(0);
      return tap.trips.flat().reduce((sum, one) => sum + one.rowsRead, 0);
    };
    await due(ENQUEUE_PAGE_SIZE + 1);
    const few = await rowsOf(ENQUEUE_PAGE_SIZE);
    expect(few).toBeLessThanOrEqual(8 * ENQUEUE_PAGE_SIZE);
    await due(6 * ENQUEUE_PAGE_SIZE, { from: 2 * ENQUEUE_PAGE_SIZE });
    expect(await rowsOf(ENQUEUE_PAGE_SIZE)).toBeLessThanOrEqual(few + 5);
    expect(await rowsOf(2 * ENQUEUE_PAGE_SIZE)).toBeLessThanOrEqual(2 * few + 5);
    await testEnv.DB.prepare(
      "UPDATE subscriptions SET calendar_at = ?, enqueued_until = NULL, status = CASE WHEN fan_id LIKE '%1' THEN 'past_due' WHEN fan_id LIKE '%2' THEN 'canceled' ELSE status END WHERE id IN (SELECT id FROM subscriptions WHERE id LIKE 'due-%' ORDER BY enqueued_until IS NULL LIMIT ?)",
    )
      .bind(world.ctx.now() + DAY_MS, ENQUEUE_PAGE_SIZE)
      .run();
    expect(await rowsOf(ENQUEUE_PAGE_SIZE)).toBeLessThanOrEqual(few + 5);
  });

  test("two concurrent crons enqueue each subscription once", async () => {
    const count = 4 * ENQUEUE_PAGE_SIZE;
    await due(count);
    await Promise.all([run(), run()]);
    expect(ids(inQueue()).toSorted()).toEqual(numbered(0, count));
  });

  test("a cron that crashes between pages leaves its subscriptions to be enqueued again, and delays no others", async () => {
    const count = 2 * ENQUEUE_PAGE_SIZE + 7;
    await due(count);
    for (const at of [1, 2, 3, 4]) {
      await testEnv.DB.prepare(
        "UPDATE subscriptions SET enqueued_until = NULL WHERE id LIKE 'due-%'",
      ).run();
      const points = crashPoints(undefined, { both: true });
      points.arm(at);
      const dying = {
        ...world.ctx,
        queues: { ...world.ctx.queues, renewals: points.port(world.ctx.queues.renewals) },
      };
      expect(await survives(points, () => enqueueDueSubscriptions(dying, { limit: MANY }))).toBe(
        "crashed",
      );
      const before = inQueue();
      await run();
      const after = inQueue();
      const lost = at % 2 === 1 ? ENQUEUE_PAGE_SIZE : 0;
      expect(new Set(ids([...before, ...after])).size).toBe(count - lost);
      expect(before.length + after.length).toBe(count - lost);
      await world.advance(ENQUEUED_LIFETIME_MS);
      await run();
      expect(ids(inQueue()).toSorted()).toEqual(numbered(0, count));
    }
  });
});

describe("enqueueing one subscription", () => {
  let bruno: TestPerson;
  let subscriptionId: string;
  beforeEach(async () => {
    bruno = await createPerson(world.ctx, "Bruno");
    subscriptionId = (await paidSubscription(world, bruno, ana)).purchaseId;
    await world.tick();
    await world.advance(28.5 * DAY_MS);
  });
  afterEach(() => expectInvariantsToHold(world.ctx));

  const renewals = async () =>
    (
      await world.ctx.db.select().from(charges).where(eq(charges.purchaseId, subscriptionId))
    ).filter(({ status }) => status === "awaiting_payment");
  const row = async () =>
    (
      await world.ctx.db.select().from(subscriptions).where(eq(subscriptions.id, subscriptionId))
    )[0];
  const queued = () => inQueue().filter(({ id }) => id === subscriptionId);

  test("sends no second message while the first is pending; a lost message is sent again and creates the renewal", async () => {
    await run();
    expect(queued()).toHaveLength(1);
    await world.advance(ENQUEUED_LIFETIME_MS - MINUTE_MS);
    await run();
    expect(queued()).toEqual([]);
    await world.advance(MINUTE_MS);
    await run();
    const [again] = queued();
    if (again) await runMessage(world.ctx, again);
    expect(await renewals()).toHaveLength(1);
  });

  test("ignores a message that arrives after its lifetime; its replacement creates the renewal", async () => {
    await run();
    const [late] = queued();
    await world.advance(ENQUEUED_LIFETIME_MS);
    await run();
    const [next] = queued();
    if (!late || !next) throw new Error("nothing was handed over");
    await runMessage(world.ctx, late);
    expect(await renewals()).toEqual([]);
    await runMessage(world.ctx, next);
    expect(await renewals()).toHaveLength(1);
  });

  test("a message delivered twice, in sequence or at once, creates one renewal", async () => {
    await run();
    const [message] = queued();
    if (!message) throw new Error("nothing was handed over");
    await Promise.all([runMessage(world.ctx, message), runMessage(world.ctx, message)]);
    await runMessage(world.ctx, message);
    expect(await renewals()).toHaveLength(1);
  });

  test("after it was handled, a change of the subscription makes the next run enqueue it", async () => {
    await world.tick();
    expect(await row()).toMatchObject({ enqueuedUntil: null });
    expect(await enqueuedIds(world.ctx)).not.toContain(subscriptionId);
    await cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
    expect(await enqueuedIds(world.ctx)).toContain(subscriptionId);
  });

  test("after repeated failures it is not read or enqueued until its retry time", async () => {
    for (let failure = 0; failure < 3; failure += 1)
      await recordFailure(world.ctx, { subjectId: subscriptionId });
    await run();
    expect(queued()).toEqual([]);
    expect((await row())?.enqueuedUntil).toBeLessThanOrEqual(world.ctx.now() + MINUTE_MS);
    await world.advance(MINUTE_MS);
    await run();
    expect(queued()).toHaveLength(1);
  });
});
