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

/** Fills a collection up to `count` posts, by rows: this is about the limit, not about publishing. */
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

describe("the order", () => {
  test("that is written is the one that the rule says, whatever is moved where", async () => {
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

  test("of posts that share a position is whole again after one move", async () => {
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

  test("changed in two tabs at once loses no post, and keeps both moves", async () => {
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

  test("any number of moves at once is some order of the same posts", async () => {
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

  test("beside a post that left meanwhile is refused with a sentence, and nothing moves", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, ["a", "b", "c"]);
    const [a = "", b = "", c = ""] = own.postIds;
    await removePost(ctx, { ...own, postId: b });
    await expect(movePost(ctx, { ...own, postId: a, side: "after", anchorId: b })).rejects.toThrow(
      OrderChanged,
    );
    expect(await order(own.collectionId)).toEqual([a, c]);
  });

  test("of another's collection is nobody else's to change", async () => {
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

describe("putting posts in", () => {
  test("goes to the end in the order given; what is inside already stays where it is", async () => {
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

  test("takes only living posts of the page: another's never, all or none", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, []);
    const other = await createSeller(ctx);
    const [foreign, mine, deleted] = [
      await publishInCollection(ctx, other, "x"),
      await publishInCollection(ctx, ana, "a"),
      await publishInCollection(ctx, ana, "b"),
    ];
    await deletePost(ctx, { postId: deleted, authorId: ana.id });
    for (const bad of [foreign, deleted, "nobodys"])
      await expect(addPosts(ctx, { ...own, postIds: [mine, bad] })).rejects.toThrow(NotYourPosts);
    expect(await order(own.collectionId)).toEqual([]);
    // Whatever a command overlooks, the database does not: who buys a collection sees what is in
    // it.
    const row = ctx.db
      .insert(collectionPosts)
      .values({ collectionId: own.collectionId, postId: foreign, position: 0 });
    await expect(commit(ctx.db, [row])).rejects.toEqual(new RuleViolation("collection_foreign"));
  });

  test("stops at 500, all or none, also two at once", async () => {
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

  test("of one that is there already is no place taken, also when the collection is full", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, ["a"]);
    await filledTo((await collectionOf(ctx, ana, [])).collectionId, 3);
    await world.env.DB.prepare("UPDATE collections SET placed_count = 500 WHERE id = ?")
      .bind(own.collectionId)
      .run();
    await addPosts(ctx, own);
    expect(await order(own.collectionId)).toEqual(own.postIds);
  });

  test("gives the place of a deleted post away once it cannot come back, and not before", async () => {
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

  test("into a deleted collection is refused", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, ["a"]);
    await deleteCollection(ctx, own);
    await expect(
      addPosts(ctx, { ...own, postIds: [await publishInCollection(ctx, ana, "b")] }),
    ).rejects.toThrow(CollectionNotFound);
  });
});

test("a post that was taken out comes back to its place, and to the end when its neighbour left", async () => {
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

describe("a post that is saved", () => {
  const save = (postId: string, collectionIds: string[]) =>
    commit(
      world.ctx.db,
      placementStatements(world.ctx, { postId, collectionIds, creatorId: ana.id }),
    );

  test("is in exactly the collections that were chosen, in its place where it was, and in no stranger's", async () => {
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

  test("keeps its place in a collection that is deleted, for the day that it comes back", async () => {
    const { ctx } = world;
    const own = await collectionOf(ctx, ana, ["a"]);
    await deleteCollection(ctx, own);
    await save(own.postIds[0] ?? "", []);
    expect(await order(own.collectionId)).toEqual(own.postIds);
  });

  test("and does not fit is refused beside the collections", async () => {
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
