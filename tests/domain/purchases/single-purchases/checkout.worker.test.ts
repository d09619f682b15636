import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { transactionForViewer } from "#app/domain/billing/statements/queries/transaction.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import {
  AlreadyBought,
  ContentIsFree,
  PurchaseMethodNotOffered,
  NotForSale,
  CannotBuyOwnContent,
} from "#app/domain/purchases/errors.ts";
import { purchasesAndGifts } from "#app/domain/purchases/gifts/queries/given-gifts.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { postAccessRules } from "#drizzle/schema/posts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  paidPurchase,
  chargesOfPayer,
  purchaseEndsOf,
  expectBoughtOnce,
  pendingPixPurchase,
  priceRule,
  canSeePost,
  soldCollection,
  soldPost,
  subscribersRule,
  purchaseCheckoutInput,
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

describe("buying one post", () => {
  test("a paid Pix opens the post, retains its fee, notifies both sides once, and the receipt names the post", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    expect(await canSeePost(ctx, bruno, postId)).toBe(false);
    const { charge } = await paidPurchase(world, bruno, postId);
    expect(charge).toMatchObject({
      purchaseKind: "post",
      amountCents: 1_500,
      feeCents: 75,
      netCents: 1_425,
      description: "Publicação “Como afino a rabeca”, de Ana Lira",
    });
    expect(await canSeePost(ctx, bruno, postId)).toBe(true);
    expect(await canSeePost(ctx, await createPerson(ctx, "Clara"), postId)).toBe(false);
    expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 1_425,
    });
    await expectBoughtOnce(world, { chargeId: charge.id, buyer: bruno, seller: ana });
    expect(
      await transactionForViewer(ctx, {
        personId: bruno.id,
        chargeId: charge.id,
        isOwn: true,
        isModerator: false,
      }),
    ).toMatchObject({
      charge: { description: charge.description },
      seller: { document: { name: "Ana Maria Lira" } },
    });
    expect(
      (
        await purchasesAndGifts(ctx, {
          personId: bruno.id,
          cursor: null,
          givenCursor: null,
          limit: 5,
        })
      ).bought.items,
    ).toMatchObject([{ title: "Como afino a rabeca", targetId: postId, endedAt: null }]);
  });

  test("twenty deliveries of one webhook event buy it once", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const waiting = await pendingPixPurchase(world, bruno, postId);
    await payAtBank(world, waiting);
    await Promise.all(
      Array.from({ length: 20 }, () => settleCharge(ctx, { chargeId: waiting.chargeId })),
    );
    await world.drain();
    await expectBoughtOnce(world, { chargeId: waiting.chargeId, buyer: bruno, seller: ana });
  });

  test("it stays bought when the subscription ends and when the price is removed", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const other = await soldPost(ctx, ana, { rules: [subscribersRule] });
    await paidPurchase(world, bruno, postId);
    const subscription = await paidSubscription(world, bruno, ana);
    expect(await canSeePost(ctx, bruno, other.postId)).toBe(true);
    await requestSubscriptionCoolingOffRefund(ctx, {
      fanId: bruno.id,
      subscriptionId: subscription.purchaseId,
    });
    await ctx.db
      .update(postAccessRules)
      .set({ kind: "subscribers", amountCents: null })
      .where(eq(postAccessRules.postId, postId));
    await world.advance(400 * DAY_MS);
    await world.tick();
    expect(await canSeePost(ctx, bruno, other.postId)).toBe(false);
    expect(await canSeePost(ctx, bruno, postId)).toBe(true);
    expect(await purchaseEndsOf(ctx, bruno)).toEqual([null]);
  });
});

describe("two tabs", () => {
  test("and two clicks at once make one charge", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const started = await Promise.all(
      Array.from({ length: 4 }, () => startPurchase(ctx, purchaseCheckoutInput(bruno, postId))),
    );
    expect(new Set(started.map(({ chargeId }) => chargeId)).size).toBe(1);
    const again = await startPurchase(ctx, purchaseCheckoutInput(bruno, postId));
    expect(again.chargeId).toBe(started[0]?.chargeId);
    expect(await chargesOfPayer(world.ctx, bruno)).toHaveLength(1);
  });

  test("with another method cancel the first charge at the provider before creating the second", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const first = await pendingPixPurchase(world, bruno, postId);
    const byCard = await startPurchase(
      ctx,
      purchaseCheckoutInput(bruno, postId, { method: "card" }),
    );
    expect(byCard).toMatchObject({
      status: "requires_action",
      nextActionUrl: expect.stringContaining("/pay/"),
    });
    expect((await chargeRow(ctx, first))?.status).toBe("canceled");
    const atProvider = await world.env.PSP_DB.prepare(
      "SELECT status FROM charges WHERE reference IN (?, ?) ORDER BY status",
    )
      .bind(first.chargeId, byCard.chargeId)
      .all<{ status: string }>();
    expect(atProvider.results.map(({ status }) => status)).toEqual(["canceled", "requires_action"]);
    expect(await purchaseEndsOf(ctx, bruno)).toEqual(["unpaid", "open"]);
  });

  test("lead to the bought post when the first charge was paid a moment ago", async () => {
    const { ctx } = world;
    const unavailable = await testContext({ webhooks: false });
    const { postId } = await soldPost(ctx, ana);
    const first = await pendingPixPurchase(unavailable, bruno, postId);
    await payAtBank(unavailable, first);
    const second = await startPurchase(
      ctx,
      purchaseCheckoutInput(bruno, postId, { method: "card" }),
    );
    expect(second).toEqual({ chargeId: first.chargeId, status: "succeeded", nextActionUrl: null });
    expect(await chargesOfPayer(world.ctx, bruno)).toHaveLength(1);
    await world.drain();
  });

  test("never make two payable charges while the provider is unavailable", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const first = await pendingPixPurchase(world, bruno, postId);
    await world.console("/sandbox/chaos", { api_errors: 5 });
    const second = await startPurchase(
      ctx,
      purchaseCheckoutInput(bruno, postId, { method: "card" }),
    );
    expect(second.chargeId).toBe(first.chargeId);
    await world.console("/sandbox/chaos", {});
    expect(await chargesOfPayer(world.ctx, bruno)).toHaveLength(1);
  });
});

describe("a person who cannot buy sees why and is not charged", () => {
  test.each<
    [
      string,
      () => Promise<{ buyer: TestPerson; targetId: string; method?: "pix" | "card" }>,
      new (...given: never[]) => Error,
    ]
  >([
    [
      "its author",
      async () => ({ buyer: ana, targetId: (await soldPost(world.ctx, ana)).postId }),
      CannotBuyOwnContent,
    ],
    [
      "a subscriber with access",
      async () => {
        const { postId } = await soldPost(world.ctx, ana, {
          rules: [priceRule(), subscribersRule],
        });
        await paidSubscription(world, bruno, ana);
        return { buyer: bruno, targetId: postId };
      },
      ContentIsFree,
    ],
    [
      "a buyer of the post",
      async () => {
        const { postId } = await soldPost(world.ctx, ana);
        await paidPurchase(world, bruno, postId);
        return { buyer: bruno, targetId: postId };
      },
      AlreadyBought,
    ],
    [
      "a buyer of its collection",
      async () => {
        const { postId } = await soldPost(world.ctx, ana);
        await paidPurchase(
          world,
          bruno,
          (await soldCollection(world.ctx, ana, [postId])).collectionId,
          "collection",
        );
        return { buyer: bruno, targetId: postId };
      },
      AlreadyBought,
    ],
    [
      "anyone, before the price opens",
      async () => ({
        buyer: bruno,
        targetId: (
          await soldPost(world.ctx, ana, { rules: [priceRule(1_500, world.ctx.now() + DAY_MS)] })
        ).postId,
      }),
      NotForSale,
    ],
    [
      "anyone, without a price",
      async () => ({
        buyer: bruno,
        targetId: (await soldPost(world.ctx, ana, { rules: [subscribersRule] })).postId,
      }),
      NotForSale,
    ],
    [
      "anyone, of a post that does not exist",
      async () => ({ buyer: bruno, targetId: "nada" }),
      NotForSale,
    ],
    [
      "a blocked member",
      async () => {
        const { postId } = await soldPost(world.ctx, ana);
        await block(world.ctx, { personId: ana.id, otherId: bruno.id });
        return { buyer: bruno, targetId: postId };
      },
      NotForSale,
    ],
    [
      "by card, under R$ 10,00",
      async () => ({
        buyer: bruno,
        targetId: (await soldPost(world.ctx, ana, { rules: [priceRule(999)] })).postId,
        method: "card" as const,
      }),
      PurchaseMethodNotOffered,
    ],
  ])("%s", async (_, given, refusal) => {
    const { buyer, targetId, method } = await given();
    const before = (await chargesOfPayer(world.ctx, buyer)).length;
    await expect(
      startPurchase(world.ctx, purchaseCheckoutInput(buyer, targetId, { method: method ?? "pix" })),
    ).rejects.toThrow(refusal);
    expect(await chargesOfPayer(world.ctx, buyer)).toHaveLength(before);
  });
});

test("nobody pays a price other than the one shown, and such an attempt opens nothing", async () => {
  const { ctx } = world;
  const { postId } = await soldPost(ctx, ana);
  await ctx.db
    .update(postAccessRules)
    .set({ amountCents: 50_000 })
    .where(eq(postAccessRules.postId, postId));
  await expect(
    startPurchase(ctx, { ...purchaseCheckoutInput(bruno, postId), amountCents: 1_500 }),
  ).rejects.toThrow("O preço mudou enquanto você olhava: agora é R$\u00a0500,00.");
  expect(await purchaseEndsOf(ctx, bruno)).toEqual([]);
  expect(
    (await startPurchase(ctx, { ...purchaseCheckoutInput(bruno, postId), amountCents: 50_000 }))
      .status,
  ).toBe("awaiting_payment");
});

test("subscriptions and purchases are settled by the same command, each by its own rules", async () => {
  const { ctx } = world;
  const { postId } = await soldPost(ctx, ana);
  const waiting = await pendingPixPurchase(world, bruno, postId);
  const subscription = await startSubscription(ctx, {
    memberId: bruno.id,
    memberName: bruno.name,
    planPriceId: ana.priceId,
    method: "pix",
    cardToken: null,
  });
  const other = await chargeRow(ctx, subscription);
  await payAtBank(world, waiting);
  await payAtBank(world, { providerChargeId: other?.providerChargeId ?? "" });
  await world.drain();
  expect(
    (await chargesOfPayer(world.ctx, bruno))
      .map(({ purchaseKind, status }) => `${purchaseKind} ${status}`)
      .toSorted(),
  ).toEqual(["post succeeded", "subscription succeeded"]);
});
