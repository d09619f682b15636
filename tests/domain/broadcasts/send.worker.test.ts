import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import {
  cancelBroadcast,
  changeBroadcast,
  createBroadcast,
  scheduleBroadcast,
} from "#app/domain/broadcasts/commands.server.ts";
import { sendBroadcastPage } from "#app/domain/broadcasts/commands/send.server.ts";
import {
  BroadcastEnded,
  BroadcastNotFound,
  BroadcastStarted,
  BroadcastTooSoon,
  NoRecipients,
  SendTimePast,
  SendTimeTooFar,
  TooManyDrafts,
  UnknownPlan,
} from "#app/domain/broadcasts/errors.ts";
import { broadcastOf, broadcastStatistics } from "#app/domain/broadcasts/queries.server.ts";
import { countRecipients } from "#app/domain/broadcasts/queries/recipients.server.ts";
import { BROADCAST_LEASE_MS, BROADCAST_PAGE } from "#app/domain/broadcasts/rules.ts";
import type { Segment } from "#app/domain/broadcasts/rules.ts";
import { eraseOwnedData } from "#app/domain/deletion/commands/erase.server.ts";
import { changeConversation } from "#app/domain/messages/commands/members.server.ts";
import { memberNotifications } from "#app/domain/notifications/queries.server.ts";
import { block, follow } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { broadcastRecipients, broadcasts } from "#drizzle/schema/broadcasts.ts";
import { people } from "#drizzle/schema/identity.ts";
import { follows as followRows } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
beforeAll(async () => {
  world = await testContext();
});
const { listed, read, write } = messageHelpers(() => world);

async function draft(
  creator: Seller,
  {
    segment = "followers",
    planIds = [],
    text = "Oi, {nome}!",
  }: { segment?: Segment; planIds?: string[]; text?: string } = {},
): Promise<string> {
  return await createBroadcast(world.ctx, {
    creatorId: creator.id,
    writtenById: null,
    segment,
    planIds,
    text,
  });
}
const schedule = (creator: Seller, id: string, sendAt: number | null = null) =>
  scheduleBroadcast(world.ctx, { id, creatorId: creator.id, sendAt });
const cancel = (creator: Seller, id: string) =>
  cancelBroadcast(world.ctx, { id, creatorId: creator.id });
const shown = async (creator: Seller, id: string) =>
  await broadcastOf(world.ctx, { id, creatorId: creator.id });
const run = (id: string) => sendBroadcastPage(world.ctx, { broadcastId: id });

async function followersOf(creator: Seller, count: number): Promise<TestPerson[]> {
  const made: TestPerson[] = [];
  for (let at = 0; at < count; at += 1) made.push(await createPerson(world.ctx, `Fã${at} Silva`));
  for (const { id: followerId } of made)
    await world.ctx.db
      .insert(followRows)
      .values({ followerId, creatorId: creator.id, createdAt: world.ctx.now() });
  return made;
}

/** The texts that a person got from a creator. */
async function received(person: { id: string }): Promise<string[]> {
  const texts: string[] = [];
  for (const { id } of await listed(person))
    texts.push(...(await read(person, id)).map(({ text }) => text));
  return texts;
}

describe("a broadcast", () => {
  test("reaches each person once, by name, page by page, however often a page runs and wherever the worker dies", async () => {
    const ana = await createSeller(world.ctx);
    const fans = await followersOf(ana, 2 * BROADCAST_PAGE + 3);
    const id = await draft(ana);
    await schedule(ana, id);
    world.queued.length = 0;
    // The first page, twice at once. Its messages to the queue are lost: the worker died.
    await Promise.all([run(id), run(id)]);
    world.queued.length = 0;
    expect(await shown(ana, id)).toMatchObject({
      state: "sending",
      recipientCount: fans.length,
      deliveredCount: BROADCAST_PAGE,
    });
    // Nobody queues it before its page counts as lost.
    await world.tick();
    expect(await shown(ana, id)).toMatchObject({ deliveredCount: BROADCAST_PAGE });
    await world.ctx.db
      .update(broadcasts)
      .set({ enqueuedUntil: world.ctx.realNow() - 1 })
      .where(eq(broadcasts.id, id));
    await world.tick();
    expect(await shown(ana, id)).toMatchObject({
      state: "sent",
      deliveredCount: fans.length,
      skippedCount: 0,
    });
    await run(id);
    for (const [at, fan] of fans.entries()) expect(await received(fan)).toEqual([`Oi, Fã${at}!`]);
  });

  test("dies with its batch: a page that is refused in the middle wrote nothing, and the next run sends it whole", async () => {
    const ana = await createSeller(world.ctx);
    const fans = await followersOf(ana, 5);
    const id = await draft(ana);
    await schedule(ana, id);
    const batch = world.ctx.db.batch.bind(world.ctx.db);
    let isDying = true;
    const dying = {
      ...world.ctx,
      db: Object.assign(Object.create(world.ctx.db) as typeof world.ctx.db, {
        batch: async (statements: Parameters<typeof batch>[0]) => {
          // The start has fewer statements than a page. The last of a page fails.
          if (!isDying || statements.length < 8) return await batch(statements);
          const fails = world.ctx.db.run(sql`SELECT abs(-9223372036854775808)`);
          return await batch([...statements, fails]);
        },
      }),
    };
    await expect(sendBroadcastPage(dying, { broadcastId: id })).rejects.toThrow("integer overflow");
    expect(await shown(ana, id)).toMatchObject({ state: "sending", deliveredCount: 0 });
    for (const fan of fans) expect(await received(fan)).toEqual([]);
    isDying = false;
    await sendBroadcastPage(dying, { broadcastId: id });
    for (const fan of fans) expect(await received(fan)).toHaveLength(1);
  });

  test("goes to who was in the segment when it started, and skips who may not be written to any more", async () => {
    const ana = await createSeller(world.ctx);
    const fans = await followersOf(ana, BROADCAST_PAGE + 4);
    const ordered = fans.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const [blocking, banned, refusing, leaving] = ordered.slice(-4);
    if (!blocking || !banned || !refusing || !leaving) throw new Error("too few");
    const id = await draft(ana);
    await schedule(ana, id);
    world.queued.length = 0;
    await run(id);
    await block(world.ctx, { personId: blocking.id, otherId: ana.id });
    await world.ctx.db
      .update(people)
      .set({ bannedAt: world.ctx.now() })
      .where(eq(people.id, banned.id));
    const { conversationId } = await write(ana, refusing, "Oi");
    await world.ctx.db.delete(followRows).where(eq(followRows.followerId, leaving.id));
    const late = await createPerson(world.ctx, "Tarde");
    await follow(world.ctx, { followerId: late.id, creatorId: ana.id });
    await world.drain();
    expect(await shown(ana, id)).toMatchObject({
      state: "sent",
      recipientCount: fans.length,
      deliveredCount: fans.length - 2,
      skippedCount: 2,
    });
    expect(await received(late)).toEqual([]);
    expect(await received(leaving)).toHaveLength(1);
    expect((await read(refusing, conversationId)).map(({ text }) => text)).toHaveLength(2);
  });

  test("leaves blocks and closed accounts out of its count, and needs somebody", async () => {
    const ana = await createSeller(world.ctx);
    const [bia, caio, dora] = await followersOf(ana, 3);
    if (!bia || !caio || !dora) throw new Error("too few");
    const audience = { creatorId: ana.id, segment: "followers" as const, planIds: [] };
    expect(await countRecipients(world.ctx, audience)).toBe(3);
    await block(world.ctx, { personId: bia.id, otherId: ana.id });
    await world.ctx.db
      .update(people)
      .set({ leavingAt: world.ctx.now() })
      .where(eq(people.id, caio.id));
    expect(await countRecipients(world.ctx, audience)).toBe(1);
    await block(world.ctx, { personId: ana.id, otherId: dora.id });
    await expect(schedule(ana, await draft(ana))).rejects.toThrow(NoRecipients);
  });

  test("has segments by plan, date, payment and reading", async () => {
    const ana = await createSeller(world.ctx);
    const [bia, caio, eva] = [
      await createPerson(world.ctx, "Bia"),
      await createPerson(world.ctx, "Caio"),
      await createPerson(world.ctx, "Eva"),
    ];
    for (const fan of [bia, caio, eva]) await paidSubscription(world, fan, ana);
    await world.tick();
    await follow(world.ctx, { followerId: eva.id, creatorId: ana.id });
    const change = (fan: TestPerson, set: Partial<typeof subscriptions.$inferInsert>) =>
      world.ctx.db.update(subscriptions).set(set).where(eq(subscriptions.fanId, fan.id));
    await change(bia, { startedAt: world.ctx.now() - 31 * DAY_MS });
    await change(caio, { status: "past_due" });
    await change(eva, { accessUntil: world.ctx.now() - 1 });
    const [opened] = await listed(bia);
    await changeConversation(world.ctx, {
      conversationId: opened?.id ?? "",
      personId: bia.id,
      act: "read",
    });
    const count = async (segment: Segment, planIds: string[] = []) =>
      await countRecipients(world.ctx, { creatorId: ana.id, segment, planIds });
    expect({
      subscribers: await count("subscribers"),
      plans: await count("plans", [ana.planId]),
      otherPlan: await count("plans", ["none"]),
      new: await count("new"),
      pastDue: await count("past_due"),
      neverOpened: await count("never_opened"),
      followers: await count("followers"),
    }).toEqual({
      subscribers: 2,
      plans: 2,
      otherPlan: 0,
      new: 1,
      pastDue: 1,
      neverOpened: 1,
      followers: 1,
    });
    await expect(draft(ana, { segment: "plans", planIds: ["none"] })).rejects.toThrow(UnknownPlan);
  });

  test("notifies each recipient, but nobody who muted the creator, and opens their pages", async () => {
    const ana = await createSeller(world.ctx);
    const [bia, caio] = await followersOf(ana, 2);
    if (!bia || !caio) throw new Error("too few");
    const { conversationId } = await write(ana, caio);
    await changeConversation(world.ctx, { conversationId, personId: caio.id, act: "mute" });
    world.changedTopics.length = 0;
    await schedule(ana, await draft(ana));
    await world.drain();
    const notified = async (person: TestPerson) =>
      (
        await memberNotifications(world.ctx, { personId: person.id, cursor: null, limit: 20 })
      ).items.flatMap(({ kind, body }) => (kind === "conversation.unread" ? [body] : []));
    expect([await notified(bia), await notified(caio)]).toEqual([
      ["Mensagem nova de Ana Lira."],
      [],
    ]);
    expect(world.changedTopics).toContain(`inbox:${bia.id}`);
    await world.advance(HOUR_MS);
    await world.tick();
    expect(await notified(bia)).toHaveLength(1);
  });

  test("does not fill the creator's list: a new conversation comes to the requests with its answer", async () => {
    const ana = await createSeller(world.ctx);
    const [bia] = await followersOf(ana, 1);
    if (!bia) throw new Error("too few");
    await schedule(ana, await draft(ana));
    await world.drain();
    expect(await listed(ana)).toEqual([]);
    await write(bia, ana, "Obrigada!");
    expect(await listed(ana, "requests")).toMatchObject([
      { lastText: "Obrigada!", unreadCount: 1 },
    ]);
  });

  test("counts who opened and who answered", async () => {
    const ana = await createSeller(world.ctx);
    const [bia, caio] = await followersOf(ana, 3);
    if (!bia || !caio) throw new Error("too few");
    const id = await draft(ana);
    await schedule(ana, id);
    await world.drain();
    const [opened] = await listed(caio);
    await changeConversation(world.ctx, {
      conversationId: opened?.id ?? "",
      personId: caio.id,
      act: "read",
    });
    await write(bia, ana, "Sim!");
    expect(await broadcastStatistics(world.ctx, { id })).toEqual({
      openedCount: 2,
      answeredCount: 1,
      boughtCount: 0,
      boughtCents: 0,
    });
  });
});

describe("the time of a broadcast", () => {
  test("is one a day, and the refusal says until when", async () => {
    const ana = await createSeller(world.ctx);
    await followersOf(ana, 1);
    const [first, second] = [await draft(ana), await draft(ana)];
    const both = await Promise.allSettled([schedule(ana, first), schedule(ana, second)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await world.drain();
    const third = await draft(ana);
    await expect(schedule(ana, third)).rejects.toThrow(BroadcastTooSoon);
    await expect(schedule(ana, third)).rejects.toThrow(
      /já há uma em .+ A próxima pode sair a partir de \d\d\/\d\d/,
    );
    await expect(schedule(ana, third, world.ctx.now() + 23 * HOUR_MS)).rejects.toThrow(
      BroadcastTooSoon,
    );
    await schedule(ana, third, world.ctx.now() + 25 * HOUR_MS);
    // A scheduled one takes its day too, and gives it back when it is canceled.
    const fourth = await draft(ana);
    await expect(schedule(ana, fourth, world.ctx.now() + 30 * HOUR_MS)).rejects.toThrow(
      BroadcastTooSoon,
    );
    await cancel(ana, third);
    await schedule(ana, fourth, world.ctx.now() + 30 * HOUR_MS);
  });

  test("waits for its minute, can be moved and changed before, and not after", async () => {
    const ana = await createSeller(world.ctx);
    const [bia] = await followersOf(ana, 1);
    if (!bia) throw new Error("too few");
    const id = await draft(ana);
    await schedule(ana, id, world.ctx.now() + 2 * HOUR_MS);
    await schedule(ana, id, world.ctx.now() + 3 * HOUR_MS);
    await changeBroadcast(world.ctx, {
      id,
      creatorId: ana.id,
      writtenById: null,
      segment: "followers",
      planIds: [],
      text: "Mudei",
    });
    await world.advance(2 * HOUR_MS);
    await world.tick();
    expect(await received(bia)).toEqual([]);
    await world.advance(HOUR_MS);
    await world.tick();
    expect(await received(bia)).toEqual(["Mudei"]);
    await expect(schedule(ana, id)).rejects.toThrow(BroadcastStarted);
    await expect(cancel(ana, id)).rejects.toThrow(BroadcastEnded);
  });

  test("is neither past nor far", async () => {
    const ana = await createSeller(world.ctx);
    const id = await draft(ana);
    await expect(schedule(ana, id, world.ctx.now() - HOUR_MS)).rejects.toThrow(SendTimePast);
    await expect(schedule(ana, id, world.ctx.now() + 91 * DAY_MS)).rejects.toThrow(SendTimeTooFar);
  });
});

describe("a cancellation", () => {
  test("stops a running broadcast before its next page, and is safe to repeat", async () => {
    const ana = await createSeller(world.ctx);
    const fans = await followersOf(ana, BROADCAST_PAGE + 2);
    const id = await draft(ana);
    await schedule(ana, id);
    world.queued.length = 0;
    await run(id);
    await cancel(ana, id);
    await cancel(ana, id);
    await world.drain();
    await world.advance(BROADCAST_LEASE_MS);
    await world.tick();
    expect(await shown(ana, id)).toMatchObject({
      state: "canceled",
      deliveredCount: BROADCAST_PAGE,
      recipientCount: fans.length,
    });
    const texts = await Promise.all(fans.map((fan) => received(fan)));
    expect(texts.flat()).toHaveLength(BROADCAST_PAGE);
  });

  test("happens by itself where the creator was banned", async () => {
    const ana = await createSeller(world.ctx);
    const [bia] = await followersOf(ana, 1);
    if (!bia) throw new Error("too few");
    const id = await draft(ana);
    await schedule(ana, id);
    await world.ctx.db
      .update(people)
      .set({ bannedAt: world.ctx.now() })
      .where(eq(people.id, ana.id));
    await world.drain();
    expect(await shown(ana, id)).toMatchObject({ state: "canceled", deliveredCount: 0 });
    expect(await received(bia)).toEqual([]);
  });
});

test("a broadcast belongs to its creator alone, and goes with the account", async () => {
  const [ana, eve] = [await createSeller(world.ctx), await createSeller(world.ctx)];
  const [bia] = await followersOf(ana, 1);
  if (!bia) throw new Error("too few");
  const id = await draft(ana);
  expect(await shown(eve, id)).toBeNull();
  await expect(schedule(eve, id)).rejects.toThrow(BroadcastNotFound);
  await expect(cancel(eve, id)).rejects.toThrow(BroadcastNotFound);
  await schedule(ana, id);
  await world.drain();
  const recipients = () =>
    world.ctx.db.select().from(broadcastRecipients).where(eq(broadcastRecipients.broadcastId, id));
  expect(await recipients()).toHaveLength(1);
  await eraseOwnedData(world.ctx, { personId: bia.id });
  expect(await recipients()).toEqual([]);
  await eraseOwnedData(world.ctx, { personId: ana.id });
  expect(await shown(ana, id)).toBeNull();
});

test("a creator writes 30 drafts an hour", async () => {
  const ana = await createSeller(world.ctx);
  for (let count = 0; count < 30; count += 1) await draft(ana);
  await expect(draft(ana)).rejects.toThrow(TooManyDrafts);
});
