import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { deletePost, restorePost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { banPerson, unbanPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { coolingOffEndsAt } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import { requestPurchaseCoolingOffRefund } from "#app/domain/purchases/single-purchases/commands/end.server.ts";
import {
  PurchaseNotFound,
  PurchaseAlreadyEnded,
  PurchaseCoolingOffExpired,
} from "#app/domain/purchases/errors.ts";
import { purchasesToClose } from "#app/domain/purchases/queries.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { refundsOfCharge } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { paidPurchase, purchaseEndsOf, canSeePost, soldPost } from "#tests/support/purchases.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

describe("the end of a purchase", () => {
  test("a cooling-off refund within seven days refunds everything once, fee included; a second click finds it ended", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const { charge, purchase } = await paidPurchase(world, bruno, postId);
    await world.advance(6 * DAY_MS);
    const memberIds = { personId: bruno.id, purchaseId: purchase.id };
    const clicks = await Promise.allSettled([
      requestPurchaseCoolingOffRefund(ctx, memberIds),
      requestPurchaseCoolingOffRefund(ctx, memberIds),
    ]);
    expect(clicks.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await world.drain();
    expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({
      status: "refunded",
      refundedCents: 1_500,
      refundedFeeCents: 75,
    });
    expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 0,
      availableCents: 0,
      owedCents: 0,
    });
    expect(await canSeePost(ctx, bruno, postId)).toBe(false);
    expect(await purchaseEndsOf(ctx, bruno)).toEqual(["regret"]);
    await expect(requestPurchaseCoolingOffRefund(ctx, memberIds)).rejects.toThrow(
      PurchaseAlreadyEnded,
    );
    // A refunded post can be bought again.
    await paidPurchase(world, bruno, postId);
    expect(await canSeePost(ctx, bruno, postId)).toBe(true);
  });

  test("the cooling-off period ends with the seventh day after; later requests and other people are refused", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const { purchase } = await paidPurchase(world, bruno, postId);
    await expect(
      requestPurchaseCoolingOffRefund(ctx, { personId: ana.id, purchaseId: purchase.id }),
    ).rejects.toThrow(PurchaseNotFound);
    const until = coolingOffEndsAt(ctx.now());
    const other = await paidPurchase(world, bruno, (await soldPost(ctx, ana)).postId);
    await world.advance(until - HOUR_MS - ctx.now());
    await requestPurchaseCoolingOffRefund(ctx, {
      personId: bruno.id,
      purchaseId: other.purchase.id,
    });
    await world.advance(HOUR_MS);
    await expect(
      requestPurchaseCoolingOffRefund(ctx, { personId: bruno.id, purchaseId: purchase.id }),
    ).rejects.toThrow(PurchaseCoolingOffExpired);
    expect(await canSeePost(ctx, bruno, postId)).toBe(true);
  });

  test.each([
    ["lost", "dispute_lost", false],
    ["won", null, true],
  ] as const)("a dispute that is %s", async (decision, end, stays) => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const { charge } = await paidPurchase(world, bruno, postId);
    const opened = await world.console(`/sandbox/charges/${charge.providerChargeId}/dispute`);
    await world.drain();
    expect((await chargeRow(ctx, { chargeId: charge.id }))?.status).toBe("disputed");
    // The post stays bought until the dispute is decided.
    expect(await canSeePost(ctx, bruno, postId)).toBe(true);
    await world.console(
      `/sandbox/disputes/${String(opened.body.id)}/${decision === "lost" ? "lose" : "win"}`,
    );
    await world.drain();
    expect((await chargeRow(ctx, { chargeId: charge.id }))?.status).toBe(`dispute_${decision}`);
    expect(await purchaseEndsOf(ctx, bruno)).toEqual([end]);
    expect(await canSeePost(ctx, bruno, postId)).toBe(stays);
  });

  test("a deleted post under dispute waits for the bank, and delays no other refund", async () => {
    const { ctx } = world;
    const [first, second] = [await soldPost(ctx, ana), await soldPost(ctx, ana)];
    const [disputed, other] = [
      await paidPurchase(world, bruno, first.postId),
      await paidPurchase(world, bruno, second.postId),
    ];
    await world.console(`/sandbox/charges/${disputed.charge.providerChargeId}/dispute`);
    await world.drain();
    for (const { postId } of [first, second]) await deletePost(ctx, { postId, authorId: ana.id });
    const due = await purchasesToClose(ctx, { now: ctx.now() + 2 * DAY_MS, limit: 1 });
    expect(due).toEqual([other.purchase.id]);
  });

  test("a deleted post is refunded a day later, and not if it was restored before", async () => {
    const { ctx } = world;
    const [open, gone] = [await soldPost(ctx, ana), await soldPost(ctx, ana)];
    const keeper = await paidPurchase(world, bruno, open.postId);
    const loser = await paidPurchase(world, bruno, gone.postId);
    for (const { postId } of [open, gone]) await deletePost(ctx, { postId, authorId: ana.id });
    await world.advance(DAY_MS - HOUR_MS);
    await world.tick();
    expect(await purchaseEndsOf(ctx, bruno)).toEqual([null, null]);
    await restorePost(ctx, { postId: open.postId, authorId: ana.id });
    await world.advance(2 * HOUR_MS);
    await world.tick();
    await world.tick();
    expect(await canSeePost(ctx, bruno, open.postId)).toBe(true);
    expect((await chargeRow(ctx, { chargeId: keeper.charge.id }))?.status).toBe("succeeded");
    expect(await chargeRow(ctx, { chargeId: loser.charge.id })).toMatchObject({
      status: "refunded",
      refundedCents: 1_500,
    });
    expect(await refundsOfCharge(ctx, loser.charge.id)).toHaveLength(1);
    expect(await purchaseEndsOf(ctx, bruno)).toEqual([null, "removed"]);
  });

  test("a seller's ban refunds purchases a day later, and not if it was undone before", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const { charge } = await paidPurchase(world, bruno, postId);
    const carla = await createModerator(ctx);
    await banPerson(ctx, { moderatorId: carla.id, personId: ana.id, reason: "Fraude" });
    await unbanPerson(ctx, { moderatorId: carla.id, personId: ana.id });
    await world.advance(2 * DAY_MS);
    await world.tick();
    expect(await canSeePost(ctx, bruno, postId)).toBe(true);
    await banPerson(ctx, { moderatorId: carla.id, personId: ana.id, reason: "Fraude" });
    await world.advance(DAY_MS + HOUR_MS);
    await world.tick();
    expect((await chargeRow(ctx, { chargeId: charge.id }))?.status).toBe("refunded");
    expect(await purchaseEndsOf(ctx, bruno)).toEqual(["removed"]);
  });
});
