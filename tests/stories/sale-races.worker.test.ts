import { afterEach, beforeEach, expect, test } from "vitest";
import { deleteCollection } from "#app/domain/collections/commands.server.ts";
import { CollectionSold } from "#app/domain/collections/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  deletePost,
  restorePost,
  unpublishPost,
} from "#app/domain/posts/commands/lifecycle.server.ts";
import { PurchasedPostRequired, PostInSoldCollection } from "#app/domain/posts/errors.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { paidPurchase, canSeePost, soldCollection, soldPost } from "#tests/support/purchases.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

test("a post sold while it is being unpublished stays published, and the creator is told so", async () => {
  const { ctx } = world;
  const { postId } = await soldPost(ctx, ana);
  const beside = interleaveBeforeWrite(ctx, () => paidPurchase(world, bruno, postId));
  await expect(unpublishPost(beside, { postId, authorId: ana.id })).rejects.toThrow(
    PurchasedPostRequired,
  );
  expect(await canSeePost(ctx, bruno, postId)).toBe(true);
});

test("a collection sold while it is being deleted is not reported as deleted: its buyer retains it and its posts", async () => {
  const { ctx } = world;
  type Sold = { postId: string; collectionId: string };
  const ends = [
    {
      act: (own: Context, { postId }: Sold) => deletePost(own, { postId, authorId: ana.id }),
      refusal: PostInSoldCollection,
    },
    {
      act: (own: Context, { postId }: Sold) => unpublishPost(own, { postId, authorId: ana.id }),
      refusal: PostInSoldCollection,
    },
    {
      act: (own: Context, { collectionId }: Sold) =>
        deleteCollection(own, { collectionId, creatorId: ana.id }),
      refusal: CollectionSold,
    },
  ];
  for (const { act, refusal } of ends) {
    const { postId } = await soldPost(ctx, ana);
    const { collectionId } = await soldCollection(ctx, ana, [postId]);
    const beside = interleaveBeforeWrite(ctx, () =>
      paidPurchase(world, bruno, collectionId, "collection"),
    );
    await expect(act(beside, { postId, collectionId })).rejects.toThrow(refusal);
    expect(await canSeePost(ctx, bruno, postId)).toBe(true);
  }
});

test("deleting or restoring twice at the same moment counts once, and reports no buyers", async () => {
  const { ctx } = world;
  const collection = {
    collectionId: (await soldCollection(ctx, ana, [])).collectionId,
    creatorId: ana.id,
  };
  await deleteCollection(
    interleaveBeforeWrite(ctx, () => deleteCollection(ctx, collection)),
    collection,
  );
  const post = { postId: (await soldPost(ctx, ana)).postId, authorId: ana.id };
  await deletePost(
    interleaveBeforeWrite(ctx, () => deletePost(ctx, post)),
    post,
  );
  expect(await canSeePost(ctx, ana, post.postId)).toBe(false);
  await restorePost(
    interleaveBeforeWrite(ctx, () => restorePost(ctx, post)),
    post,
  );
  expect(await canSeePost(ctx, ana, post.postId)).toBe(true);
});
