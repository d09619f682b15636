import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { transactionFor } from "#app/domain/billing/queries/transaction.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { balancesOf } from "#app/domain/payouts/queries.server.ts";
import { deletePost, restorePost, unpublishPost } from "#app/domain/posts/commands/life.server.ts";
import { InSoldCollection } from "#app/domain/posts/errors.ts";
import { postsToErase } from "#app/domain/posts/queries/studio.server.ts";
import { holdPost } from "#app/domain/moderation/commands.server.ts";
import { banPerson, unbanPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { regretEndsAt } from "#app/domain/payments/rules/regret.ts";
import { startPurchase } from "#app/domain/purchases/commands/checkout.server.ts";
import { regretPurchase } from "#app/domain/purchases/commands/end.server.ts";
import { settleCharge } from "#app/domain/purchases/commands/settle.server.ts";
import { AlreadyBought, AlreadyOpen, MethodNotOffered, NotForSale, OwnThing, PurchaseNotFound, PurchaseOver, RegretTooLate } from "#app/domain/purchases/errors.ts";
import { purchasesToClose } from "#app/domain/purchases/queries.server.ts";
import { boughtAndGiven } from "#app/domain/purchases/queries/gifts.server.ts";
import { startSubscription } from "#app/domain/subscriptions/commands/checkout.server.ts";
import { regretSubscription } from "#app/domain/subscriptions/commands/end.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { collectionPosts, collections } from "#drizzle/schema/collections.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { postAccessRules, posts } from "#drizzle/schema/posts.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { refundsOf } from "#tests/support/closing.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pay, subscribed } from "#tests/support/money.ts";
import { moderator, person, seller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { bought, endsOf, expectBoughtOnce, pixPurchase, priceRule, sees, soldCollection, soldPost, subscribersRule, wishOf } from "#tests/support/purchases.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await seller(world.ctx);
  bruno = await person(world.ctx, "Bruno");
});
afterEach(() => expectBooksToHold(world.ctx));

const chargesOf = (payerId: string) => world.ctx.db.select().from(charges).where(eq(charges.payerId, payerId));
const givenBack = async (chargeId: string) => {
  await world.drain();
  await world.tick();
  return { status: (await chargeRow(world.ctx, { chargeId }))?.status, refunds: (await refundsOf(world.ctx, chargeId)).length };
};

describe("buying one post", () => {
  test("the Pix opens it, its fee is kept, both are told once, and the receipt names it", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    expect(await sees(ctx, bruno, postId)).toBe(false);
    const { charge } = await bought(world, bruno, postId);
    expect(charge).toMatchObject({ purchaseKind: "post", amountCents: 1_500, feeCents: 75, netCents: 1_425, description: "Publicação “Como afino a rabeca”, de Ana Lira" });
    expect(await sees(ctx, bruno, postId)).toBe(true);
    expect(await sees(ctx, await person(ctx, "Clara"), postId)).toBe(false);
    expect(await balancesOf(ctx, { creatorId: ana.id })).toMatchObject({ pendingCents: 1_425 });
    await expectBoughtOnce(world, { chargeId: charge.id, buyer: bruno, seller: ana });
    expect(await transactionFor(ctx, { personId: bruno.id, chargeId: charge.id, isOwn: true, isModerator: false })).toMatchObject({ charge: { description: charge.description }, seller: { document: { name: "Ana Maria Lira" } } });
    expect((await boughtAndGiven(ctx, { personId: bruno.id, cursor: null, givenCursor: null, limit: 5 })).bought.items).toMatchObject([{ title: "Como afino a rabeca", targetId: postId, endedAt: null }]);
  });

  test("twenty equal deliveries at once buy it once", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const waiting = await pixPurchase(world, bruno, postId);
    await pay(world, waiting);
    await Promise.all(Array.from({ length: 20 }, () => settleCharge(ctx, { chargeId: waiting.chargeId })));
    await world.drain();
    await expectBoughtOnce(world, { chargeId: waiting.chargeId, buyer: bruno, seller: ana });
  });

  test("it stays bought when the subscription ends, and when the price is taken away", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const other = await soldPost(ctx, ana, { rules: [subscribersRule] });
    await bought(world, bruno, postId);
    const subscription = await subscribed(world, bruno, ana);
    expect(await sees(ctx, bruno, other.postId)).toBe(true);
    await regretSubscription(ctx, { fanId: bruno.id, subscriptionId: subscription.purchaseId });
    await ctx.db.update(postAccessRules).set({ kind: "subscribers", amountCents: null }).where(eq(postAccessRules.postId, postId));
    await world.advance(400 * DAY_MS);
    await world.tick();
    expect(await sees(ctx, bruno, other.postId)).toBe(false);
    expect(await sees(ctx, bruno, postId)).toBe(true);
    expect(await endsOf(ctx, bruno)).toEqual([null]);
  });
});

describe("two tabs", () => {
  test("and two clicks at once make one charge", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const started = await Promise.all(Array.from({ length: 4 }, () => startPurchase(ctx, wishOf(bruno, postId))));
    expect(new Set(started.map(({ chargeId }) => chargeId)).size).toBe(1);
    const again = await startPurchase(ctx, wishOf(bruno, postId));
    expect(again.chargeId).toBe(started[0]?.chargeId);
    expect(await chargesOf(bruno.id)).toHaveLength(1);
  });

  test("with another method let the first go at the provider before there is a second", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const first = await pixPurchase(world, bruno, postId);
    const byCard = await startPurchase(ctx, wishOf(bruno, postId, { method: "card" }));
    expect(byCard).toMatchObject({ status: "requires_action", nextActionUrl: expect.stringContaining("/pay/") });
    expect((await chargeRow(ctx, first))?.status).toBe("canceled");
    const atProvider = await world.env.PSP_DB.prepare("SELECT status FROM charges WHERE reference IN (?, ?) ORDER BY status").bind(first.chargeId, byCard.chargeId).all<{ status: string }>();
    expect(atProvider.results.map(({ status }) => status)).toEqual(["canceled", "requires_action"]);
    expect(await endsOf(ctx, bruno)).toEqual(["unpaid", "open"]);
  });

  test("where the first was paid a moment ago lead to what was bought", async () => {
    const { ctx } = world;
    const silent = await testContext({ webhooks: false });
    const { postId } = await soldPost(ctx, ana);
    const first = await pixPurchase(silent, bruno, postId);
    await pay(silent, first);
    const second = await startPurchase(ctx, wishOf(bruno, postId, { method: "card" }));
    expect(second).toEqual({ chargeId: first.chargeId, status: "succeeded", nextActionUrl: null });
    expect(await chargesOf(bruno.id)).toHaveLength(1);
    await world.drain();
  });

  test("while the provider is silent never make two payable charges", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const first = await pixPurchase(world, bruno, postId);
    await world.console("/sandbox/chaos", { api_errors: 5 });
    const second = await startPurchase(ctx, wishOf(bruno, postId, { method: "card" }));
    expect(second.chargeId).toBe(first.chargeId);
    await world.console("/sandbox/chaos", {});
    expect(await chargesOf(bruno.id)).toHaveLength(1);
  });
});

describe("a payment that comes late", () => {
  test("is honoured while the post is sold", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const late = await pixPurchase(world, bruno, postId);
    await world.advance(HOUR_MS);
    await world.tick();
    expect(await endsOf(ctx, bruno)).toEqual(["unpaid"]);
    await pay(world, late);
    await world.drain();
    await expectBoughtOnce(world, { chargeId: late.chargeId, buyer: bruno, seller: ana });
  });

  test("goes back once when it is sold no more", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const late = await pixPurchase(world, bruno, postId);
    await world.advance(HOUR_MS);
    await world.tick();
    await ctx.db.delete(postAccessRules).where(eq(postAccessRules.postId, postId));
    await pay(world, late);
    expect(await givenBack(late.chargeId)).toEqual({ status: "refunded", refunds: 1 });
    expect(await sees(ctx, bruno, postId)).toBe(false);
  });

  test("beside another that was paid buys once, and the other goes back", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const late = await pixPurchase(world, bruno, postId);
    await world.advance(HOUR_MS);
    await world.tick();
    const next = await pixPurchase(world, bruno, postId);
    await Promise.all([pay(world, late), pay(world, next)]);
    await world.drain();
    await world.tick();
    const statuses = await Promise.all([late, next].map(async (one) => (await chargeRow(ctx, one))?.status));
    expect(statuses.toSorted()).toEqual(["refunded", "succeeded"]);
    expect((await endsOf(ctx, bruno)).filter((end) => end === null)).toHaveLength(1);
    expect(await balancesOf(ctx, { creatorId: ana.id })).toMatchObject({ pendingCents: 1_425, owedCents: 0 });
  });
});

describe("paid after, in the middle of its checkout,", () => {
  test.each<[string, (postId: string) => Promise<unknown>, "succeeded" | "refunded"]>([
    ["a dearer price", (postId) => world.ctx.db.update(postAccessRules).set({ amountCents: 9_900 }).where(eq(postAccessRules.postId, postId)), "succeeded"],
    ["the price taken away", (postId) => world.ctx.db.delete(postAccessRules).where(eq(postAccessRules.postId, postId)), "succeeded"],
    ["the post deleted", (postId) => deletePost(world.ctx, { postId, authorId: ana.id }), "refunded"],
    ["the post held", (postId) => holdPost(world.ctx, { postId }), "refunded"],
    ["a block by who sells", () => block(world.ctx, { personId: ana.id, otherId: bruno.id }), "refunded"],
    ["a block by who buys", () => block(world.ctx, { personId: bruno.id, otherId: ana.id }), "refunded"],
    ["a ban of who sells", async () => banPerson(world.ctx, { moderatorId: (await moderator(world.ctx)).id, personId: ana.id, reason: "Fraude" }), "refunded"],
  ])("%s", async (_, happening, status) => {
    const { postId } = await soldPost(world.ctx, ana);
    const waiting = await pixPurchase(world, bruno, postId);
    await happening(postId);
    await pay(world, waiting);
    expect((await givenBack(waiting.chargeId)).status).toBe(status);
    expect(await endsOf(world.ctx, bruno)).toEqual([status === "succeeded" ? null : "given_back"]);
  });
});

describe("who may not buy is told why, and nothing is charged", () => {
  test.each<[string, () => Promise<{ buyer: TestPerson; targetId: string; method?: "pix" | "card" }>, new (...given: never[]) => Error]>([
    ["its author", async () => ({ buyer: ana, targetId: (await soldPost(world.ctx, ana)).postId }), OwnThing],
    ["who subscribes, where that opens it", async () => {
      const { postId } = await soldPost(world.ctx, ana, { rules: [priceRule(), subscribersRule] });
      await subscribed(world, bruno, ana);
      return { buyer: bruno, targetId: postId };
    }, AlreadyOpen],
    ["who bought it", async () => {
      const { postId } = await soldPost(world.ctx, ana);
      await bought(world, bruno, postId);
      return { buyer: bruno, targetId: postId };
    }, AlreadyBought],
    ["who bought a collection with it", async () => {
      const { postId } = await soldPost(world.ctx, ana);
      await bought(world, bruno, (await soldCollection(world.ctx, ana, [postId])).collectionId, "collection");
      return { buyer: bruno, targetId: postId };
    }, AlreadyBought],
    ["nobody, before the price opens", async () => ({ buyer: bruno, targetId: (await soldPost(world.ctx, ana, { rules: [priceRule(1_500, world.ctx.now() + DAY_MS)] })).postId }), NotForSale],
    ["nobody, without a price", async () => ({ buyer: bruno, targetId: (await soldPost(world.ctx, ana, { rules: [subscribersRule] })).postId }), NotForSale],
    ["nobody, where there is nothing", async () => ({ buyer: bruno, targetId: "nada" }), NotForSale],
    ["who is blocked", async () => {
      const { postId } = await soldPost(world.ctx, ana);
      await block(world.ctx, { personId: ana.id, otherId: bruno.id });
      return { buyer: bruno, targetId: postId };
    }, NotForSale],
    ["by card, under R$ 10,00", async () => ({ buyer: bruno, targetId: (await soldPost(world.ctx, ana, { rules: [priceRule(999)] })).postId, method: "card" as const }), MethodNotOffered],
  ])("%s", async (_, given, refusal) => {
    const { buyer, targetId, method } = await given();
    const before = (await chargesOf(buyer.id)).length;
    await expect(startPurchase(world.ctx, wishOf(buyer, targetId, { method: method ?? "pix" }))).rejects.toThrow(refusal);
    expect(await chargesOf(buyer.id)).toHaveLength(before);
  });
});

describe("the end of a purchase", () => {
  test("regret within seven days gives everything back, fee included, once; a second click finds it over", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const { charge, purchase } = await bought(world, bruno, postId);
    await world.advance(6 * DAY_MS);
    const mine = { personId: bruno.id, purchaseId: purchase.id };
    const clicks = await Promise.allSettled([regretPurchase(ctx, mine), regretPurchase(ctx, mine)]);
    expect(clicks.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await world.drain();
    expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({ status: "refunded", refundedCents: 1_500, refundedFeeCents: 75 });
    expect(await balancesOf(ctx, { creatorId: ana.id })).toMatchObject({ pendingCents: 0, availableCents: 0, owedCents: 0 });
    expect(await sees(ctx, bruno, postId)).toBe(false);
    expect(await endsOf(ctx, bruno)).toEqual(["regret"]);
    await expect(regretPurchase(ctx, mine)).rejects.toThrow(PurchaseOver);
    // What was given back may be bought again.
    await bought(world, bruno, postId);
    expect(await sees(ctx, bruno, postId)).toBe(true);
  });

  test("regret lasts to the end of the seventh day after, and is refused then, and to somebody else", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const { purchase } = await bought(world, bruno, postId);
    await expect(regretPurchase(ctx, { personId: ana.id, purchaseId: purchase.id })).rejects.toThrow(PurchaseNotFound);
    const until = regretEndsAt(ctx.now());
    const other = await bought(world, bruno, (await soldPost(ctx, ana)).postId);
    await world.advance(until - HOUR_MS - ctx.now());
    await regretPurchase(ctx, { personId: bruno.id, purchaseId: other.purchase.id });
    await world.advance(HOUR_MS);
    await expect(regretPurchase(ctx, { personId: bruno.id, purchaseId: purchase.id })).rejects.toThrow(RegretTooLate);
    expect(await sees(ctx, bruno, postId)).toBe(true);
  });

  test.each([
    ["lost", "dispute_lost", false],
    ["won", null, true],
  ] as const)("a dispute that is %s", async (decision, end, stays) => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const { charge } = await bought(world, bruno, postId);
    const opened = await world.console(`/sandbox/charges/${charge.providerChargeId}/dispute`);
    await world.drain();
    expect((await chargeRow(ctx, { chargeId: charge.id }))?.status).toBe("disputed");
    // Until it is decided, what was bought stays bought.
    expect(await sees(ctx, bruno, postId)).toBe(true);
    await world.console(`/sandbox/disputes/${String(opened.body.id)}/${decision === "lost" ? "lose" : "win"}`);
    await world.drain();
    expect((await chargeRow(ctx, { chargeId: charge.id }))?.status).toBe(`dispute_${decision}`);
    expect(await endsOf(ctx, bruno)).toEqual([end]);
    expect(await sees(ctx, bruno, postId)).toBe(stays);
  });

  test("a deleted post under dispute waits for the bank, and holds no other refund up", async () => {
    const { ctx } = world;
    const [first, second] = [await soldPost(ctx, ana), await soldPost(ctx, ana)];
    const [disputed, other] = [await bought(world, bruno, first.postId), await bought(world, bruno, second.postId)];
    await world.console(`/sandbox/charges/${disputed.charge.providerChargeId}/dispute`);
    await world.drain();
    for (const { postId } of [first, second]) await deletePost(ctx, { postId, authorId: ana.id });
    const due = await purchasesToClose(ctx, { now: ctx.now() + 2 * DAY_MS, limit: 1 });
    expect(due).toEqual([other.purchase.id]);
  });

  test("a deleted post is given back a day later, and not when it was brought back before", async () => {
    const { ctx } = world;
    const [kept, gone] = [await soldPost(ctx, ana), await soldPost(ctx, ana)];
    const keeper = await bought(world, bruno, kept.postId);
    const loser = await bought(world, bruno, gone.postId);
    for (const { postId } of [kept, gone]) await deletePost(ctx, { postId, authorId: ana.id });
    await world.advance(DAY_MS - HOUR_MS);
    await world.tick();
    expect(await endsOf(ctx, bruno)).toEqual([null, null]);
    await restorePost(ctx, { postId: kept.postId, authorId: ana.id });
    await world.advance(2 * HOUR_MS);
    await world.tick();
    await world.tick();
    expect(await sees(ctx, bruno, kept.postId)).toBe(true);
    expect((await chargeRow(ctx, { chargeId: keeper.charge.id }))?.status).toBe("succeeded");
    expect(await chargeRow(ctx, { chargeId: loser.charge.id })).toMatchObject({ status: "refunded", refundedCents: 1_500 });
    expect(await refundsOf(ctx, loser.charge.id)).toHaveLength(1);
    expect(await endsOf(ctx, bruno)).toEqual([null, "removed"]);
  });

  test("a seller's ban gives back a day later, and nothing when it was undone before", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const { charge } = await bought(world, bruno, postId);
    const carla = await moderator(ctx);
    await banPerson(ctx, { moderatorId: carla.id, personId: ana.id, reason: "Fraude" });
    await unbanPerson(ctx, { moderatorId: carla.id, personId: ana.id });
    await world.advance(2 * DAY_MS);
    await world.tick();
    expect(await sees(ctx, bruno, postId)).toBe(true);
    await banPerson(ctx, { moderatorId: carla.id, personId: ana.id, reason: "Fraude" });
    await world.advance(DAY_MS + HOUR_MS);
    await world.tick();
    expect((await chargeRow(ctx, { chargeId: charge.id }))?.status).toBe("refunded");
    expect(await endsOf(ctx, bruno)).toEqual(["removed"]);
  });
});

test("nobody pays another price than the one they were shown, and nothing is opened for it", async () => {
  const { ctx } = world;
  const { postId } = await soldPost(ctx, ana);
  await ctx.db.update(postAccessRules).set({ amountCents: 50_000 }).where(eq(postAccessRules.postId, postId));
  await expect(startPurchase(ctx, { ...wishOf(bruno, postId), amountCents: 1_500 })).rejects.toThrow("O preço mudou enquanto você olhava: agora é R$\u00a0500,00.");
  expect(await endsOf(ctx, bruno)).toEqual([]);
  expect((await startPurchase(ctx, { ...wishOf(bruno, postId), amountCents: 50_000 })).status).toBe("awaiting_payment");
});

describe("a collection paid as one", () => {
  test("opens what it holds, what is put in it later, and what is taken out of it", async () => {
    const { ctx } = world;
    const [first, second, third] = [await soldPost(ctx, ana), await soldPost(ctx, ana, { rules: [subscribersRule] }), await soldPost(ctx, ana)];
    const { collectionId } = await soldCollection(ctx, ana, [first.postId, second.postId]);
    const { charge } = await bought(world, bruno, collectionId, "collection");
    expect(charge).toMatchObject({ purchaseKind: "collection", amountCents: 4_000, description: "Coleção “Rabeca do zero”, de Ana Lira" });
    const seen = async () => [await sees(ctx, bruno, first.postId), await sees(ctx, bruno, second.postId), await sees(ctx, bruno, third.postId)];
    expect(await seen()).toEqual([true, true, false]);
    await ctx.db.delete(collectionPosts).where(eq(collectionPosts.postId, second.postId));
    await ctx.db.insert(collectionPosts).values({ collectionId, postId: third.postId, position: 7 });
    expect(await seen()).toEqual([true, true, true]);
    // A deleted collection leaves with its buyers what it held when they paid.
    await ctx.db.delete(collectionPosts).where(eq(collectionPosts.collectionId, collectionId));
    await ctx.db.update(collections).set({ deletedAt: ctx.now() }).where(eq(collections.id, collectionId));
    expect(await seen()).toEqual([true, true, false]);
    await regretPurchase(ctx, { personId: bruno.id, purchaseId: charge.purchaseId });
    await world.drain();
    expect(await seen()).toEqual([false, false, false]);
  });

  test("keeps its posts for who paid: none is deleted, taken off the air or erased while somebody holds it", async () => {
    const { ctx } = world;
    const [inside, takenOut] = [await soldPost(ctx, ana), await soldPost(ctx, ana)];
    const { collectionId } = await soldCollection(ctx, ana, [inside.postId, takenOut.postId]);
    const { charge } = await bought(world, bruno, collectionId, "collection");
    await ctx.db.delete(collectionPosts).where(eq(collectionPosts.postId, takenOut.postId));
    for (const { postId } of [inside, takenOut]) {
      await expect(deletePost(ctx, { postId, authorId: ana.id })).rejects.toThrow("1 pessoa comprou uma coleção com esta publicação");
      await expect(unpublishPost(ctx, { postId, authorId: ana.id })).rejects.toThrow(InSoldCollection);
      expect(await sees(ctx, bruno, postId)).toBe(true);
    }
    await ctx.db.update(posts).set({ deletedAt: ctx.now() - 40 * DAY_MS }).where(eq(posts.id, inside.postId));
    expect(await postsToErase(ctx, { limit: 100 })).not.toContain(inside.postId);
    await regretPurchase(ctx, { personId: bruno.id, purchaseId: charge.purchaseId });
    await world.drain();
    expect(await postsToErase(ctx, { limit: 100 })).toContain(inside.postId);
    await deletePost(ctx, { postId: takenOut.postId, authorId: ana.id });
  });

  test("that is empty, or holds only what is not on the air, is not sold", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const { collectionId } = await soldCollection(ctx, ana, []);
    const asked = () => startPurchase(ctx, wishOf(bruno, collectionId, { kind: "collection" }));
    await expect(asked()).rejects.toThrow(NotForSale);
    await ctx.db.insert(collectionPosts).values({ collectionId, postId, position: 1 });
    await ctx.db.update(posts).set({ state: "draft" }).where(eq(posts.id, postId));
    await expect(asked()).rejects.toThrow(NotForSale);
    await ctx.db.update(posts).set({ state: "published" }).where(eq(posts.id, postId));
    expect((await asked()).status).toBe("awaiting_payment");
  });

  test("that is not sold as one, or was deleted, is not sold", async () => {
    const { ctx } = world;
    const inside = [(await soldPost(ctx, ana)).postId];
    const unsold = await soldCollection(ctx, ana, inside, null);
    await expect(startPurchase(ctx, wishOf(bruno, unsold.collectionId, { kind: "collection" }))).rejects.toThrow(NotForSale);
    const deleted = await soldCollection(ctx, ana, inside);
    await ctx.db.update(collections).set({ deletedAt: ctx.now() }).where(eq(collections.id, deleted.collectionId));
    await expect(startPurchase(ctx, wishOf(bruno, deleted.collectionId, { kind: "collection" }))).rejects.toThrow(NotForSale);
  });
});

test("a subscription and a purchase are settled by the same door, each for what it is", async () => {
  const { ctx } = world;
  const { postId } = await soldPost(ctx, ana);
  const waiting = await pixPurchase(world, bruno, postId);
  const subscription = await startSubscription(ctx, { memberId: bruno.id, memberName: bruno.name, planPriceId: ana.priceId, method: "pix", cardToken: null });
  const other = await chargeRow(ctx, subscription);
  await pay(world, waiting);
  await pay(world, { providerChargeId: other?.providerChargeId ?? "" });
  await world.drain();
  expect((await chargesOf(bruno.id)).map(({ purchaseKind, status }) => `${purchaseKind} ${status}`).toSorted()).toEqual(["post succeeded", "subscription succeeded"]);
});
