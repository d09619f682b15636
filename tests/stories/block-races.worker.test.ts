import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { block, follow } from "#app/domain/profiles/commands.server.ts";
import { CannotFollow, SubscriptionBetween } from "#app/domain/profiles/errors.ts";
import { claimGift } from "#app/domain/purchases/gifts/commands/claim-gift.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { GiftNotClaimable } from "#app/domain/purchases/gifts/errors.ts";
import { grantComp } from "#app/domain/subscriptions/comps/commands.server.ts";
import { startTrial } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import { PlanNotForSale } from "#app/domain/subscriptions/errors.ts";
import { FanNotReachable } from "#app/domain/subscriptions/comps/errors.ts";
import { liveSubscriptions } from "#app/domain/subscriptions/queries.server.ts";
import { blocks, follows } from "#drizzle/schema/profiles.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidGift } from "#tests/support/gifts.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { payAtBank, pixCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller, createTrialPerson } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ctx: Context;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ctx = world.ctx;
  ana = await createSeller(ctx, { trialDays: 7 });
  bruno = await createTrialPerson(ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(ctx));

const byCreator = async () => await block(ctx, { personId: ana.id, otherId: bruno.id });
const byFan = async () => await block(ctx, { personId: bruno.id, otherId: ana.id });
const live = async () =>
  (await liveSubscriptions(ctx, { fanId: bruno.id, creatorId: ana.id })).map(
    ({ status }) => status,
  );
const BEGINS = /insert into "subscriptions"|update "subscriptions" set "status"/;

test.each([
  ["the creator", byCreator],
  ["the payer", byFan],
])(
  "a payment applied at the moment of a block by %s starts no subscription, and is refunded",
  async (_, blocked) => {
    const waiting = await pixCheckout(world, bruno, ana);
    await payAtBank(world, waiting);
    await settleCharge(interleaveBeforeWrite(ctx, blocked, BEGINS), waiting);
    expect(await live()).toEqual([]);
    expect(await chargeRow(ctx, waiting)).toMatchObject({
      status: "refunded",
      refundedCents: 1_990,
    });
  },
);

const begins: [string, (ctx: Context) => Promise<unknown>, new () => Error][] = [
  [
    "a trial",
    (own) =>
      startTrial(own, {
        memberId: bruno.id,
        memberName: bruno.name,
        planPriceId: ana.priceId,
        method: "pix",
        cardToken: null,
        trialDays: 7,
        amountCents: 1_990,
      }),
    PlanNotForSale,
  ],
  [
    "a complimentary subscription",
    (own) =>
      grantComp(own, {
        creatorId: ana.id,
        creatorName: ana.name,
        givenBy: ana.id,
        username: bruno.username,
        planId: ana.planId,
        months: 1,
      }),
    FanNotReachable,
  ],
];
test.each(begins)(
  "%s is refused when a block comes at the same moment",
  async (_, begin, Refusal) => {
    await expect(begin(interleaveBeforeWrite(ctx, byCreator, BEGINS))).rejects.toThrow(Refusal);
    expect(await live()).toEqual([]);
  },
);

test("a gift claimed at the moment of a block is not claimed", async () => {
  const { code } = await paidGift(world, await createPerson(ctx, "Davi"), ana);
  const claim = (own: Context) =>
    claimGift(own, { memberId: bruno.id, memberName: bruno.name, code });
  await expect(claim(interleaveBeforeWrite(ctx, byFan, BEGINS))).rejects.toThrow(GiftNotClaimable);
  expect(await live()).toEqual([]);
});

test("a block at the moment when a payment is applied is refused with an instruction, and not saved", async () => {
  const waiting = await pixCheckout(world, bruno, ana);
  await payAtBank(world, waiting);
  const beside = interleaveBeforeWrite(
    ctx,
    () => settleCharge(ctx, waiting),
    /insert into "blocks"/,
  );
  await expect(block(beside, { personId: ana.id, otherId: bruno.id })).rejects.toThrow(
    SubscriptionBetween,
  );
  expect(await live()).toEqual(["active"]);
  expect(await ctx.db.$count(blocks, eq(blocks.blockerId, ana.id))).toBe(0);
});

test("a follow at the moment of a block is refused", async () => {
  await expect(
    follow(interleaveBeforeWrite(ctx, byCreator), { followerId: bruno.id, creatorId: ana.id }),
  ).rejects.toThrow(CannotFollow);
  expect(
    await ctx.db.$count(
      follows,
      and(eq(follows.followerId, bruno.id), eq(follows.creatorId, ana.id)),
    ),
  ).toBe(0);
});
