import { eq, isNull } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit, openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import {
  enqueueWaitingMessages,
  DEAD_LETTER_AFTER_MS,
  DEAD_LETTER_FAILURES,
  abandonFailedMessages,
  OUTBOX_ENQUEUED_LIFETIME_MS,
  OUTBOX_PAGE,
} from "#app/domain/notifications/commands/outbox.server.ts";
import { waitingOutbox } from "#app/domain/notifications/queries.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { recordFailure } from "#app/domain/retry-backoff/commands.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { sweepOutbox } from "#app/domain/notifications/commands/steps.server.ts";

let world: World;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  bruno = await createPerson(world.ctx, "Bruno");
  await testEnv.DB.batch(
    [
      "DELETE FROM outbox",
      "DELETE FROM local_mails",
      "DELETE FROM setbacks",
      "DELETE FROM notifications",
    ].map((query) => testEnv.DB.prepare(query)),
  );
});

/** How many messages one cron run delivers itself. */
const HERE = 200;

/** Adds `count` announcements to Bruno, an hour old, each a millisecond younger than the one before. */
async function announced(count: number): Promise<void> {
  const { ctx } = world;
  await testEnv.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
     INSERT INTO outbox (id, type, payload, created_at) SELECT printf('many:%05d', i), 'person.unbanned', json_object('type', 'person.unbanned', 'personId', ?), ? + i FROM n`,
  )
    .bind(count, bruno.id, ctx.realNow() - HOUR_MS)
    .run();
}

const untold = () => world.ctx.db.$count(outbox, isNull(outbox.handledAt));
const mails = () => world.ctx.db.$count(localMails);
const notices = () => world.ctx.db.$count(notifications, eq(notifications.personId, bruno.id));
const later = (ms: number): Context => ({
  ...world.ctx,
  now: () => world.ctx.now() + ms,
  realNow: () => world.ctx.realNow() + ms,
});
const enqueued = () =>
  world.queued.filter(({ type }) => type === "outbox.deliver").map(({ id }) => id);

test("with thousands of messages, the run delivers the oldest and the queue the rest, each once", async () => {
  const count = HERE + 2 * OUTBOX_PAGE + 30;
  await announced(count);
  await sweepOutbox(world.ctx);
  expect(await untold()).toBe(count - HERE);
  expect(new Set(enqueued()).size).toBe(count - HERE);
  expect(enqueued()).toHaveLength(count - HERE);
  await sweepOutbox(world.ctx);
  expect(enqueued()).toHaveLength(count - HERE);
  world.queued.splice(0, count - HERE - 40);
  await world.drain();
  expect(await untold()).toBe(count - HERE - 40);
  expect(await mails()).toBe(HERE + 40);
});

test("a few messages are delivered by the run, and none goes to a queue", async () => {
  await announced(HERE - 1);
  await sweepOutbox(world.ctx);
  expect(await untold()).toBe(0);
  expect(enqueued()).toEqual([]);
});

test("messages lost by the queue are enqueued again after their time is over, and not before", async () => {
  await announced(HERE + 50);
  await enqueueWaitingMessages(world.ctx, {
    before: world.ctx.realNow(),
    skipped: HERE,
    limit: 10_000,
  });
  expect(world.queued.splice(0)).toHaveLength(50);
  const again = async (ms: number) =>
    await waitingOutbox(world.ctx, { before: world.ctx.realNow() + ms, limit: 1_000 });
  expect(await again(OUTBOX_ENQUEUED_LIFETIME_MS - MINUTE_MS)).toHaveLength(HERE);
  expect(await again(OUTBOX_ENQUEUED_LIFETIME_MS + MINUTE_MS)).toHaveLength(HERE + 50);
});

test("a run enqueues no more than its limit, and nothing without room", async () => {
  await announced(60);
  const all = { before: world.ctx.realNow(), skipped: 0 };
  expect(await enqueueWaitingMessages(world.ctx, { ...all, limit: 50, hasRoom: () => false })).toBe(
    0,
  );
  expect(await enqueueWaitingMessages(world.ctx, { ...all, limit: 50 })).toBe(50);
  expect(await enqueueWaitingMessages(world.ctx, { ...all, limit: 50 })).toBe(10);
});

test("reads only the rows that it enqueues, whatever was delivered before or is in the queue", async () => {
  const rowsOf = async () => {
    const tap = recordDatabase(testEnv.DB);
    const ctx = { ...world.ctx, db: openDatabase(tap.database) };
    expect(
      await enqueueWaitingMessages(ctx, { before: ctx.realNow(), skipped: 0, limit: 100 }),
    ).toBe(100);
    return tap.trips.flat().reduce((sum, one) => sum + one.rowsRead, 0);
  };
  await announced(100);
  const few = await rowsOf();
  expect(few).toBeLessThanOrEqual(8 * 100);
  await testEnv.DB.prepare("DELETE FROM outbox").run();
  await announced(3_000);
  await testEnv.DB.prepare("UPDATE outbox SET handled_at = 1 WHERE id < 'many:02000'").run();
  await rowsOf();
  expect(await rowsOf()).toBeLessThanOrEqual(few + 5);
});

test("a page of emails refused by the mailer does not delay the messages behind it", async () => {
  await announced(HERE);
  const dead: Context = {
    ...world.ctx,
    mailer: { send: () => Promise.reject(new Error("mailbox unavailable")) },
  };
  for (let failure = 0; failure < 3; failure += 1) await sweepOutbox(dead);
  await commit(world.ctx.db, [
    announce<OutboxMessage>(later(-MINUTE_MS), "behind", {
      type: "person.unbanned",
      personId: bruno.id,
    }),
  ]);
  await sweepOutbox(world.ctx);
  expect([await mails(), await untold()]).toEqual([1, HERE]);
  await sweepOutbox(later(2 * MINUTE_MS));
  expect([await mails(), await untold()]).toEqual([HERE + 1, 0]);
});

test("when email fails, the in-app notification is written once, and the email is sent later, once", async () => {
  await announced(1);
  const dead: Context = {
    ...world.ctx,
    mailer: { send: () => Promise.reject(new Error("no line")) },
  };
  await expect(deliverOutboxMessage(dead, { outboxId: "many:00000" })).rejects.toThrow("no line");
  await expect(deliverOutboxMessage(dead, { outboxId: "many:00000" })).rejects.toThrow("no line");
  expect([await notices(), await mails(), await untold()]).toEqual([1, 0, 1]);
  await deliverOutboxMessage(world.ctx, { outboxId: "many:00000" });
  await deliverOutboxMessage(world.ctx, { outboxId: "many:00000" });
  expect([await notices(), await mails(), await untold()]).toEqual([1, 1, 0]);
});

test("a message that failed all week is quarantined and logged; one that merely waited is not", async () => {
  await commit(world.ctx.db, [
    announce<OutboxMessage>(world.ctx, "failing", { type: "person.unbanned", personId: bruno.id }),
    announce<OutboxMessage>(world.ctx, "waiting", { type: "person.unbanned", personId: bruno.id }),
  ]);
  for (let failure = 0; failure < DEAD_LETTER_FAILURES; failure += 1)
    await recordFailure(world.ctx, { subjectId: "failing" });
  await abandonFailedMessages(later(DEAD_LETTER_AFTER_MS - DAY_MS));
  expect(world.logged).toEqual([]);
  const after = later(DEAD_LETTER_AFTER_MS + MINUTE_MS);
  await abandonFailedMessages(after);
  expect(world.logged).toEqual([
    {
      event: "notifications.message_quarantined",
      fields: { outboxId: "failing", reason: "undeliverable" },
    },
  ]);
  expect(await waitingOutbox(after, { before: after.realNow(), limit: 10 })).toEqual(["waiting"]);
});
