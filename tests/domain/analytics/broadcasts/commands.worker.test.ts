import { beforeEach, expect, test } from "vitest";
import { analyticsSteps } from "#app/domain/analytics/commands/steps.server.ts";
import { broadcastNumbers } from "#app/domain/analytics/broadcasts/queries.server.ts";
import { createBroadcast, scheduleBroadcast } from "#app/domain/broadcasts/commands.server.ts";
import { sendBroadcastPage } from "#app/domain/broadcasts/commands/send.server.ts";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { changeConversation } from "#app/domain/messages/commands/members.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS, dayNumberOf, HOUR_MS } from "#app/domain/time.ts";
import { analyticsBroadcasts } from "#drizzle/schema/analytics.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { NOON_OF_NOVEMBER_11, testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { paidPurchase, soldPost } from "#tests/support/purchases.ts";
import { paidTip } from "#tests/support/tips.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ana: Seller;
let fans: TestPerson[];
let id: string;
const { listed } = messageHelpers(() => world);

beforeEach(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext({ startsAt: NOON_OF_NOVEMBER_11 });
  const { ctx } = world;
  ana = await createSeller(ctx);
  fans = [];
  for (const name of ["Bia", "Caio", "Duda"]) {
    const fan = await createPerson(ctx, name);
    await follow(ctx, { followerId: fan.id, creatorId: ana.id });
    fans.push(fan);
  }
  const to = { creatorId: ana.id, writtenById: null, segment: "followers" as const, planIds: [] };
  id = await createBroadcast(ctx, { ...to, text: "Oi, {nome}!" });
  await scheduleBroadcast(ctx, { id, creatorId: ana.id, sendAt: null });
  await sendBroadcastPage(ctx, { broadcastId: id });
  world.queued.length = 0;
});

const fan = (at: number): TestPerson => {
  const one = fans[at];
  if (!one) throw new Error("no such fan");
  return one;
};
const count = () => analyticsSteps.countBroadcasts.run(world.ctx, () => true);
const numbers = async (days = 28) => {
  const today = dayNumberOf(world.ctx.now());
  const range = { from: today - days + 1, until: today };
  return await broadcastNumbers(world.ctx, { creatorId: ana.id, range });
};

async function openIt(one: TestPerson): Promise<void> {
  const [conversation] = await listed(one);
  const conversationId = conversation?.id ?? "";
  await changeConversation(world.ctx, { conversationId, personId: one.id, act: "read" });
}

test("a broadcast says how many got, opened and answered it, and bought after it", async () => {
  const { ctx } = world;
  expect(await numbers()).toMatchObject([{ id, sentCount: 3, openedCount: null }]);
  await openIt(fan(0));
  await openIt(fan(1));
  const answer = { writtenById: null, text: "Vou!", clientMessageId: ctx.newId() };
  await sendMessage(ctx, { ...answer, personId: fan(0).id, otherId: ana.id });
  const buys = async () => await paidPurchase(world, fan(2), (await soldPost(ctx, ana)).postId);
  const { charge } = await buys();
  await world.advance(2 * HOUR_MS);
  await count();
  const expected = { sentCount: 3, openedCount: 2, answeredCount: 1, buyersCount: 1 };
  expect(await numbers()).toMatchObject([expected]);
  // Who got the money back bought it; who pays twice is one person.
  await refundCharge(ctx, {
    sellerId: ana.id,
    decidedBy: ana.id,
    chargeId: charge.id,
    refundId: ctx.newId(),
    amountCents: 100,
    reason: "",
  });
  await buys();
  await world.advance(DAY_MS);
  await count();
  await count();
  expect(await numbers()).toMatchObject([expected]);
});

test("who pays more than seven days later did not buy because of it", async () => {
  await world.advance(8 * DAY_MS);
  await paidTip(world, fan(0), ana);
  await count();
  expect(await numbers()).toMatchObject([{ buyersCount: 0 }]);
});

test("it is counted an hour after it went out, once a day, for thirty days", async () => {
  await count();
  expect(await numbers()).toMatchObject([{ openedCount: null }]);
  await world.advance(2 * HOUR_MS);
  await count();
  await openIt(fan(0));
  await count();
  expect(await numbers()).toMatchObject([{ openedCount: 0 }]);
  await world.advance(31 * DAY_MS);
  await count();
  await openIt(fan(1));
  await world.advance(2 * DAY_MS);
  await count();
  expect(await numbers(90)).toMatchObject([{ openedCount: 1 }]);
  expect(await world.ctx.db.select().from(analyticsBroadcasts)).toMatchObject([{ dueAt: null }]);
});

test("a range has only what went out in it, and nobody else's", async () => {
  await world.advance(10 * DAY_MS);
  expect(await numbers(7)).toEqual([]);
  expect(await numbers()).toHaveLength(1);
  const bruno = await createSeller(world.ctx);
  const range = { from: 0, until: 40_000 };
  expect(await broadcastNumbers(world.ctx, { creatorId: bruno.id, range })).toEqual([]);
});
