import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import {
  addPosts,
  movePost,
  placementRefusal,
  placementStatements,
  removePost,
  restorePostPlace,
} from "#app/domain/collections/commands/placing.server.ts";
import { deleteCollection } from "#app/domain/collections/commands.server.ts";
import {
  CollectionFull,
  CollectionNotFound,
  NotYourPosts,
  OrderChanged,
} from "#app/domain/collections/errors.ts";
import { editableCollection, placedPosts } from "#app/domain/collections/queries/studio.server.ts";
import { moveInOrder } from "#app/domain/collections/rules.ts";
import { deletePost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { collectionPosts, collections } from "#drizzle/schema/collections.ts";
import { testClock } from "#tests/support/clock.ts";
import { collectionOf, publishInCollection } from "#tests/support/collections.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});

const order = async (collectionId: string) =>
  (await placedPosts(world.ctx, { collectionId })).map(({ id }) => id);
const countOf = async (collectionId: string) =>
  (await editableCollection(world.ctx, { collectionId, creatorId: ana.id }))?.placedCount;

/** Fills a collection up to `count` posts with rows. These tests are about the limit. */
async function filledTo(collectionId: string, count: number): Promise<void> {
  const { ctx } = world;
  await world.env.DB.prepare(
    `INSERT INTO collection_posts (collection_id, post_id, position)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2) SELECT ?1, ?1 || '-' || i, i FROM n`,
  )
    .bind(collectionId, count)
    .run();
  expect(
    (await ctx.db.select().from(collections).where(eq(collections.id, collectionId)))[0]
      ?.placedCount,
  ).toBe(count);
}

describe("the order of posts", () => {
  test("in the database equals the order of the rule, for any moves", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, ["a", "b", "c", "d", "e"]);
    const index = fc.nat({ max: 4 });
    await fc.assert(
      fc.asyncProperty(
        index,
        fc.constantFrom("before", "after"),
        index,
        async (post, side, anchor) => {
          const before = await order(own.collectionId);
          const move = { postId: before[post] ?? "", side, anchorId: before[anchor] ?? "" };
          await movePost(ctx, { ...own, ...move });
          expect(await order(own.collectionId)).toEqual(moveInOrder(before, move));
        },
      ),
      { numRuns: 40 },
    );
  });

  test("of posts with equal positions is repaired by one move", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, ["a", "b", "c"]);
    await ctx.db
      .update(collectionPosts)
      .set({ position: 7 })
      .where(eq(collectionPosts.collectionId, own.collectionId));
    const [first = "", second = "", third = ""] = await order(own.collectionId);
    await movePost(ctx, { ...own, postId: third, side: "before", anchorId: first });
    expect(await order(own.collectionId)).toEqual([third, first, second]);
  });

  test("keeps both concurrent moves of two tabs, and loses no post", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, ["a", "b", "c", "d", "e", "f"]);
    const [a = "", b = "", c = "", d = "", e = "", f = ""] = own.postIds;
    const late = await publishInCollection(ctx, ana, "g");
    await Promise.all([
      movePost(ctx, { ...own, postId: a, side: "after", anchorId: c }),
      movePost(ctx, { ...own, postId: f, side: "before", anchorId: e }),
      addPosts(ctx, { ...own, postIds: [late] }),
      removePost(ctx, { ...own, postId: d }),
    ]);
    const now = await order(own.collectionId);
    expect(now.toSorted()).toEqual([a, b, c, e, f, late].toSorted());
    expect(now.indexOf(a)).toBe(now.indexOf(c) + 1);
    expect(now.indexOf(f)).toBe(now.indexOf(e) - 1);
    expect(await countOf(own.collectionId)).toBe(6);
  });

  test("after any concurrent moves has the same posts", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, ["a", "b", "c", "d"]);
    const pairs = own.postIds.flatMap((postId) =>
      own.postIds.map((anchorId) => ({
        postId,
        anchorId,
        side: postId < anchorId ? ("after" as const) : ("before" as const),
      })),
    );
    await Promise.all(pairs.map((move) => movePost(ctx, { ...own, ...move })));
    expect((await order(own.collectionId)).toSorted()).toEqual(own.postIds.toSorted());
  });

  test("is unchanged and the move refused when the anchor post was removed meanwhile", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, ["a", "b", "c"]);
    const [a = "", b = "", c = ""] = own.postIds;
    await removePost(ctx, { ...own, postId: b });
    await expect(movePost(ctx, { ...own, postId: a, side: "after", anchorId: b })).rejects.toThrow(
      OrderChanged,
    );
    expect(await order(own.collectionId)).toEqual([a, c]);
  });

  test("can be changed only by the creator of the collection", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, ["a", "b"]);
    const [a = "", b = ""] = own.postIds;
    const stranger = { collectionId: own.collectionId, creatorId: (await createSeller(ctx)).id };
    await expect(
      movePost(ctx, { ...stranger, postId: b, side: "before", anchorId: a }),
    ).rejects.toThrow(CollectionNotFound);
    await expect(addPosts(ctx, { ...stranger, postIds: [a] })).rejects.toThrow(CollectionNotFound);
    await expect(removePost(ctx, { ...stranger, postId: a })).rejects.toThrow(CollectionNotFound);
    await expect(restorePostPlace(ctx, { ...stranger, postId: a, beforeId: null })).rejects.toThrow(
      CollectionNotFound,
    );
    expect(await order(own.collectionId)).toEqual([a, b]);
  });
});

describe("adding posts", () => {
  test("appends them in the given order and leaves present ones in place", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, ["a", "b"]);
    const [a = "", b = ""] = own.postIds;
    const [c, d] = [
      await publishInCollection(ctx, ana, "c"),
      await publishInCollection(ctx, ana, "d"),
    ];
    await addPosts(ctx, { ...own, postIds: [d, a, c] });
    expect(await order(own.collectionId)).toEqual([a, b, d, c]);
  });

  test("accepts only existing posts of the creator, all or none", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, []);
    const other = await createSeller(ctx);
    const [foreign, owned, deleted] = [
      await publishInCollection(ctx, other, "x"),
      await publishInCollection(ctx, ana, "a"),
      await publishInCollection(ctx, ana, "b"),
    ];
    await deletePost(ctx, { postId: deleted, authorId: ana.id });
    for (const bad of [foreign, deleted, "nobodys"])
      await expect(addPosts(ctx, { ...own, postIds: [owned, bad] })).rejects.toThrow(NotYourPosts);
    expect(await order(own.collectionId)).toEqual([]);
    // The database refuses what a command overlooks, because buyers see everything in a collection.
    const row = ctx.db
      .insert(collectionPosts)
      .values({ collectionId: own.collectionId, postId: foreign, position: 0 });
    await expect(commit(ctx.db, [row])).rejects.toEqual(new RuleViolation("collection_foreign"));
  });

  test("stops at 500 posts, all or none, also with concurrent requests", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, []);
    await filledTo(own.collectionId, 498);
    const [a, b, c] = [
      await publishInCollection(ctx, ana, "a"),
      await publishInCollection(ctx, ana, "b"),
      await publishInCollection(ctx, ana, "c"),
    ];
    await expect(addPosts(ctx, { ...own, postIds: [a, b, c] })).rejects.toThrow(CollectionFull);
    expect(await countOf(own.collectionId)).toBe(498);
    const both = await Promise.allSettled([
      addPosts(ctx, { ...own, postIds: [a, b] }),
      addPosts(ctx, { ...own, postIds: [c] }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await addPosts(ctx, { ...own, postIds: [a] }).catch(() => null);
    expect(await countOf(own.collectionId)).toBeLessThanOrEqual(500);
    expect(await countOf(own.collectionId)).toBeGreaterThanOrEqual(499);
  });

  test("of one already present needs no place, even in a full collection", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, ["a"]);
    await filledTo((await collectionOf(ctx, ana, [])).collectionId, 3);
    await world.env.DB.prepare("UPDATE collections SET placed_count = 500 WHERE id = ?")
      .bind(own.collectionId)
      .run();
    await addPosts(ctx, own);
    expect(await order(own.collectionId)).toEqual(own.postIds);
  });

  test("reuses the place of a deleted post only after it can no longer be restored", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, ["a", "b"]);
    await deletePost(ctx, { postId: own.postIds[0] ?? "", authorId: ana.id });
    const [c, d] = [
      await publishInCollection(ctx, ana, "c"),
      await publishInCollection(ctx, ana, "d"),
    ];
    await addPosts(ctx, { ...own, postIds: [c] });
    expect(await countOf(own.collectionId)).toBe(3);
    await addPosts({ ...ctx, now: () => testClock.now() + 31 * DAY_MS }, { ...own, postIds: [d] });
    expect([await countOf(own.collectionId), await order(own.collectionId)]).toEqual([
      3,
      [own.postIds[1], c, d],
    ]);
  });

  test("to a deleted collection is refused", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, ["a"]);
    await deleteCollection(ctx, own);
    await expect(
      addPosts(ctx, { ...own, postIds: [await publishInCollection(ctx, ana, "b")] }),
    ).rejects.toThrow(CollectionNotFound);
  });
});

test("undoing a removal restores the position, or appends the post when its neighbour was removed", async () => {
  const { ctx } = world;
  const own = await collectionOf(ctx, ana, ["a", "b", "c"]);
  const [a = "", b = "", c = ""] = own.postIds;
  await removePost(ctx, { ...own, postId: b });
  await removePost(ctx, { ...own, postId: b });
  expect(await order(own.collectionId)).toEqual([a, c]);
  await restorePostPlace(ctx, { ...own, postId: b, beforeId: c });
  expect(await order(own.collectionId)).toEqual([a, b, c]);
  await removePost(ctx, { ...own, postId: a });
  await restorePostPlace(ctx, { ...own, postId: a, beforeId: "left" });
  expect(await order(own.collectionId)).toEqual([b, c, a]);
});

describe("saving the collections of a post", () => {
  const save = (postId: string, collectionIds: string[]) =>
    commit(
      world.ctx.db,
      placementStatements(world.ctx, { postId, collectionIds, creatorId: ana.id }),
    );

  test("puts it in exactly the chosen collections, keeps its positions, and ignores other creators' collections", async () => {
    const { ctx } = world;
    const [one, two] = [await collectionOf(ctx, ana, ["a"]), await collectionOf(ctx, ana, ["b"])];
    const foreign = await collectionOf(ctx, await createSeller(ctx), []);
    const post = await publishInCollection(ctx, ana, "p");
    await save(post, [one.collectionId, foreign.collectionId]);
    await save(post, [one.collectionId, two.collectionId]);
    expect([
      await order(one.collectionId),
      await order(two.collectionId),
      await order(foreign.collectionId),
    ]).toEqual([[...one.postIds, post], [...two.postIds, post], []]);
    await movePost(ctx, { ...one, postId: post, side: "before", anchorId: one.postIds[0] ?? "" });
    await save(post, [one.collectionId]);
    expect([await order(one.collectionId), await order(two.collectionId)]).toEqual([
      [post, ...one.postIds],
      two.postIds,
    ]);
  });

  test("keeps its position in a deleted collection for a restoration", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, ["a"]);
    await deleteCollection(ctx, own);
    await save(own.postIds[0] ?? "", []);
    expect(await order(own.collectionId)).toEqual(own.postIds);
  });

  test("is refused at the collections field when one is full", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, []);
    await filledTo(own.collectionId, 500);
    const refusal = await save(await publishInCollection(ctx, ana, "p"), [own.collectionId]).catch(
      placementRefusal,
    );
    expect(refusal).toMatchObject({ name: "CollectionFull", field: "collectionIds" });
    expect(placementRefusal(new Error("another"))).toBeNull();
  });
});
