import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import {
  activatePlan,
  archivePlan,
  createPlan,
  updatePlan,
} from "#app/domain/plans/commands.server.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { memberSubscriptions } from "#app/domain/subscriptions/queries.server.ts";
import { resubscribeOption } from "#app/domain/subscriptions/overview/queries/resubscribe.server.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { people } from "#drizzle/schema/identity.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
  subscriptionId = (await paidSubscription(world, bruno, ana)).purchaseId;
});

const memberIds = () => ({ fanId: bruno.id, subscriptionId });
const again = () => resubscribeOption(world.ctx, memberIds());
const ended = () =>
  world.ctx.db
    .update(subscriptions)
    .set({ status: "expired", accessUntil: 1, holdsSeat: false })
    .where(eq(subscriptions.id, subscriptionId));

/** Another plan of Ana's that is on sale. */
async function otherPlan(): Promise<string> {
  const { planId } = await createPlan(world.ctx, {
    creatorId: ana.id,
    name: "Palco",
    description: "",
    benefits: [],
    prices: [{ interval: "monthly", amountCents: 3_990 }],
    seatsLimit: null,
    welcomeMessage: "",
  });
  await activatePlan(world.ctx, { creatorId: ana.id, planId });
  return planId;
}

test("offers the same plan and price to the former subscriber, and nothing to anyone else", async () => {
  expect(await again()).toEqual({ kind: "subscribed", subscriptionId });
  await ended();
  expect(await again()).toEqual({
    kind: "same",
    planId: ana.planId,
    interval: "monthly",
    amountCents: 1_990,
    beforeCents: 1_990,
  });
  expect(await resubscribeOption(world.ctx, { fanId: ana.id, subscriptionId })).toBeNull();
  const second = (await paidSubscription(world, bruno, ana)).purchaseId;
  expect(await again()).toEqual({ kind: "subscribed", subscriptionId: second });
});

test("shows a changed price before it is charged", async () => {
  const plan = await creatorPlan(world.ctx, { planId: ana.planId, creatorId: ana.id });
  if (!plan) throw new Error("no plan");
  const { name, description, benefits, seatsLimit, welcomeMessage } = plan;
  await updatePlan(world.ctx, {
    creatorId: ana.id,
    planId: ana.planId,
    name,
    description,
    benefits,
    seatsLimit,
    welcomeMessage,
    prices: [{ interval: "monthly", amountCents: 2_490 }],
  });
  await ended();
  expect(await again()).toMatchObject({ kind: "same", amountCents: 2_490, beforeCents: 1_990 });
});

test("offers other plans when the plan is archived, and none when the creator cannot sell", async () => {
  const palco = await otherPlan();
  await archivePlan(world.ctx, { creatorId: ana.id, planId: ana.planId });
  await ended();
  expect(await again()).toMatchObject({
    kind: "others",
    because: "not_sold",
    planName: "Camarim",
    others: [{ planId: palco, name: "Palco", amountCents: 3_990 }],
  });
  await world.ctx.db.update(people).set({ bannedAt: world.ctx.now() }).where(eq(people.id, ana.id));
  expect(await again()).toMatchObject({ kind: "others", others: [] });
});

test("sums the monthly cost of a member's subscriptions without the canceled ones", async () => {
  const [beto, clara] = [
    await createSeller(world.ctx, { amountCents: 15_000, interval: "annual" }),
    await createSeller(world.ctx, { amountCents: 1_000, interval: "weekly" }),
  ];
  const support = async () =>
    (await memberSubscriptions(world.ctx, { fanId: bruno.id, cursor: null, limit: 1 }))
      .monthlyCents;
  expect(await support()).toBe(1_990);
  await paidSubscription(world, bruno, beto);
  await paidSubscription(world, bruno, clara);
  expect(await support()).toBe(1_990 + 1_250 + 4_333);
  await cancelSubscription(world.ctx, memberIds());
  expect(await support()).toBe(1_250 + 4_333);
});
