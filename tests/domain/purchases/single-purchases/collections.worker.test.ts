import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deletePost, unpublishPost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { PostInSoldCollection } from "#app/domain/posts/errors.ts";
import { postsToErase } from "#app/domain/posts/queries/studio.server.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { requestPurchaseCoolingOffRefund } from "#app/domain/purchases/single-purchases/commands/end.server.ts";
import { NotForSale } from "#app/domain/purchases/errors.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { collectionPosts, collections } from "#drizzle/schema/collections.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  paidPurchase,
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

describe("a collection sold as one", () => {
  test("gives access to its posts, to those added later and to those removed from it", async () => {
    const { ctx } = world;
    const [first, second, third] = [
      await soldPost(ctx, ana),
      await soldPost(ctx, ana, { rules: [subscribersRule] }),
      await soldPost(ctx, ana),
    ];
    const { collectionId } = await soldCollection(ctx, ana, [first.postId, second.postId]);
    const { charge } = await paidPurchase(world, bruno, collectionId, "collection");
    expect(charge).toMatchObject({
      purchaseKind: "collection",
      amountCents: 4_000,
      description: "Coleção “Rabeca do zero”, de Ana Lira",
    });
    const seen = async () => [
      await canSeePost(ctx, bruno, first.postId),
      await canSeePost(ctx, bruno, second.postId),
      await canSeePost(ctx, bruno, third.postId),
    ];
    expect(await seen()).toEqual([true, true, false]);
    await ctx.db.delete(collectionPosts).where(eq(collectionPosts.postId, second.postId));
    await ctx.db
      .insert(collectionPosts)
      .values({ collectionId, postId: third.postId, position: 7 });
    expect(await seen()).toEqual([true, true, true]);
    // A deleted collection leaves its buyers the posts that it contained when they paid.
    await ctx.db.delete(collectionPosts).where(eq(collectionPosts.collectionId, collectionId));
    await ctx.db
      .update(collections)
      .set({ deletedAt: ctx.now() })
      .where(eq(collections.id, collectionId));
    expect(await seen()).toEqual([true, true, false]);
    await requestPurchaseCoolingOffRefund(ctx, {
      personId: bruno.id,
      purchaseId: charge.purchaseId,
    });
    await world.drain();
    expect(await seen()).toEqual([false, false, false]);
  });

  test("its posts stay for the buyers: none is deleted, unpublished or erased while somebody owns it", async () => {
    const { ctx } = world;
    const [inside, takenOut] = [await soldPost(ctx, ana), await soldPost(ctx, ana)];
    const { collectionId } = await soldCollection(ctx, ana, [inside.postId, takenOut.postId]);
    const { charge } = await paidPurchase(world, bruno, collectionId, "collection");
    await ctx.db.delete(collectionPosts).where(eq(collectionPosts.postId, takenOut.postId));
    for (const { postId } of [inside, takenOut]) {
      await expect(deletePost(ctx, { postId, authorId: ana.id })).rejects.toThrow(
        "1 pessoa comprou uma coleção com esta publicação",
      );
      await expect(unpublishPost(ctx, { postId, authorId: ana.id })).rejects.toThrow(
        PostInSoldCollection,
      );
      expect(await canSeePost(ctx, bruno, postId)).toBe(true);
    }
    await ctx.db
      .update(posts)
      .set({ deletedAt: ctx.now() - 40 * DAY_MS })
      .where(eq(posts.id, inside.postId));
    expect(await postsToErase(ctx, { limit: 100 })).not.toContain(inside.postId);
    await requestPurchaseCoolingOffRefund(ctx, {
      personId: bruno.id,
      purchaseId: charge.purchaseId,
    });
    await world.drain();
    expect(await postsToErase(ctx, { limit: 100 })).toContain(inside.postId);
    await deletePost(ctx, { postId: takenOut.postId, authorId: ana.id });
  });

  test("is not sold when it is empty or has no published post", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const { collectionId } = await soldCollection(ctx, ana, []);
    const asked = () =>
      startPurchase(ctx, purchaseCheckoutInput(bruno, collectionId, { kind: "collection" }));
    await expect(asked()).rejects.toThrow(NotForSale);
    await ctx.db.insert(collectionPosts).values({ collectionId, postId, position: 1 });
    await ctx.db.update(posts).set({ state: "draft" }).where(eq(posts.id, postId));
    await expect(asked()).rejects.toThrow(NotForSale);
    await ctx.db.update(posts).set({ state: "published" }).where(eq(posts.id, postId));
    expect((await asked()).status).toBe("awaiting_payment");
  });

  test("is not sold when it has no price as a whole or was deleted", async () => {
    const { ctx } = world;
    const inside = [(await soldPost(ctx, ana)).postId];
    const unsold = await soldCollection(ctx, ana, inside, null);
    await expect(
      startPurchase(ctx, purchaseCheckoutInput(bruno, unsold.collectionId, { kind: "collection" })),
    ).rejects.toThrow(NotForSale);
    const deleted = await soldCollection(ctx, ana, inside);
    await ctx.db
      .update(collections)
      .set({ deletedAt: ctx.now() })
      .where(eq(collections.id, deleted.collectionId));
    await expect(
      startPurchase(
        ctx,
        purchaseCheckoutInput(bruno, deleted.collectionId, { kind: "collection" }),
      ),
    ).rejects.toThrow(NotForSale);
  });
});
