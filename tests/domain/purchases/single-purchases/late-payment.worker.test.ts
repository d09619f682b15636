import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { deletePost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { holdPost } from "#app/domain/moderation/commands.server.ts";
import { banPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { postAccessRules } from "#drizzle/schema/posts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { refundsOfCharge } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  purchaseEndsOf,
  expectBoughtOnce,
  pendingPixPurchase,
  canSeePost,
  soldPost,
} from "#tests/support/purchases.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const givenBack = async (chargeId: string) => {
  await world.drain();
  await world.tick();
  return {
    status: (await chargeRow(world.ctx, { chargeId }))?.status,
    refunds: (await refundsOfCharge(world.ctx, chargeId)).length,
  };
};

describe("a late payment", () => {
  test("is accepted while the post is on sale", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const late = await pendingPixPurchase(world, bruno, postId);
    await world.advance(HOUR_MS);
    await world.tick();
    expect(await purchaseEndsOf(ctx, bruno)).toEqual(["unpaid"]);
    await payAtBank(world, late);
    await world.drain();
    await expectBoughtOnce(world, { chargeId: late.chargeId, buyer: bruno, seller: ana });
  });

  test("is refunded once when the post is no longer on sale", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const late = await pendingPixPurchase(world, bruno, postId);
    await world.advance(HOUR_MS);
    await world.tick();
    await ctx.db.delete(postAccessRules).where(eq(postAccessRules.postId, postId));
    await payAtBank(world, late);
    expect(await givenBack(late.chargeId)).toEqual({ status: "refunded", refunds: 1 });
    expect(await canSeePost(ctx, bruno, postId)).toBe(false);
  });

  test("beside another paid charge buys the post once, and the other charge is refunded", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const late = await pendingPixPurchase(world, bruno, postId);
    await world.advance(HOUR_MS);
    await world.tick();
    const next = await pendingPixPurchase(world, bruno, postId);
    await Promise.all([payAtBank(world, late), payAtBank(world, next)]);
    await world.drain();
    await world.tick();
    const statuses = await Promise.all(
      [late, next].map(async (one) => (await chargeRow(ctx, one))?.status),
    );
    expect(statuses.toSorted()).toEqual(["refunded", "succeeded"]);
    expect((await purchaseEndsOf(ctx, bruno)).filter((end) => end === null)).toHaveLength(1);
    expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 1_425,
      owedCents: 0,
    });
  });
});

describe("paid after, in the middle of its checkout,", () => {
  test.each<[string, (postId: string) => Promise<unknown>, "succeeded" | "refunded"]>([
    [
      "a higher price",
      (postId) =>
        world.ctx.db
          .update(postAccessRules)
          .set({ amountCents: 9_900 })
          .where(eq(postAccessRules.postId, postId)),
      "succeeded",
    ],
    [
      "the price removed",
      (postId) => world.ctx.db.delete(postAccessRules).where(eq(postAccessRules.postId, postId)),
      "succeeded",
    ],
    [
      "the post deleted",
      (postId) => deletePost(world.ctx, { postId, authorId: ana.id }),
      "refunded",
    ],
    ["the post held by moderation", (postId) => holdPost(world.ctx, { postId }), "refunded"],
    [
      "a block by the seller",
      () => block(world.ctx, { personId: ana.id, otherId: bruno.id }),
      "refunded",
    ],
    [
      "a block by the buyer",
      () => block(world.ctx, { personId: bruno.id, otherId: ana.id }),
      "refunded",
    ],
    [
      "a ban of the seller",
      async () =>
        banPerson(world.ctx, {
          moderatorId: (await createModerator(world.ctx)).id,
          personId: ana.id,
          reason: "Fraude",
        }),
      "refunded",
    ],
  ])("%s", async (_, happening, status) => {
    const { postId } = await soldPost(world.ctx, ana);
    const waiting = await pendingPixPurchase(world, bruno, postId);
    await happening(postId);
    await payAtBank(world, waiting);
    expect((await givenBack(waiting.chargeId)).status).toBe(status);
    expect(await purchaseEndsOf(world.ctx, bruno)).toEqual([
      status === "succeeded" ? null : "given_back",
    ]);
  });
});
