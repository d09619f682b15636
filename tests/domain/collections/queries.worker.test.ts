import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { deleteCollection } from "#app/domain/collections/commands.server.ts";
import { addPosts } from "#app/domain/collections/commands/placing.server.ts";
import { CollectionNotFound } from "#app/domain/collections/errors.ts";
import {
  collectionFor,
  collectionsStatement,
  outlineStatement,
  toCollectionSummary,
} from "#app/domain/collections/queries.server.ts";
import { placesFromRows, placesStatement } from "#app/domain/collections/queries/place.server.ts";
import type { Context } from "#app/domain/context.ts";
import { holdCollection, holdPost } from "#app/domain/moderation/commands.server.ts";
import { saveDraft } from "#app/domain/posts/commands/compose.server.ts";
import { deletePost, unpublishPost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { people } from "#drizzle/schema/identity.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { insertPurchaseRows } from "#tests/support/purchase-rows.ts";
import { collectionOf, publishInCollection } from "#tests/support/collections.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { wholeTableReads } from "#tests/support/query-plan.ts";

// Purchases are inserted by hand.
allowBrokenInvariants();

let world: World;
let ctx: Context;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  ({ ctx } = world);
  ana = await createSeller(ctx);
});

const seen = (collectionId: string, viewerId: string | null) =>
  collectionFor(ctx, { collectionId, viewerId, cursor: null, limit: 30 });
const listedFor = async (creator: TestPerson, viewerId: string | null) =>
  (await collectionsStatement(ctx, { creatorKey: creator.username, viewerId, limit: 10 })).map(
    ({ title }) => title,
  );

async function bought(
  person_: TestPerson,
  own: { collectionId: string; creatorId: string },
  isOver = false,
): Promise<void> {
  await commit(
    ctx.db,
    insertPurchaseRows(ctx, {
      personId: person_.id,
      creatorId: own.creatorId,
      kind: "collection",
      targetId: own.collectionId,
      isOver,
    }).rows,
  );
}

describe("the viewer of a collection", () => {
  test("sees only published posts: no draft, scheduled, deleted or held post in any list, count or neighbour link", async () => {
    const own = await collectionOf(ctx, ana, [
      "um",
      "rascunho",
      "dois",
      "apagada",
      "retida",
      "três",
    ]);
    const [first = "", draft = "", second = "", gone = "", held = "", third = ""] = own.postIds;
    const scheduled = ctx.newId();
    await saveDraft(ctx, {
      postId: scheduled,
      version: 0,
      tab: "t",
      authorId: ana.id,
      title: "secreto",
      content: "x",
      teaser: "",
      isSensitive: false,
      rules: [],
      image: null,
      media: null,
      removesImage: false,
    });
    await addPosts(ctx, { ...own, postIds: [scheduled] });
    await unpublishPost(ctx, { postId: draft, authorId: ana.id });
    await deletePost(ctx, { postId: gone, authorId: ana.id });
    await holdPost(ctx, { postId: held });
    const fan = await createPerson(ctx);
    for (const viewerId of [null, fan.id, ana.id, (await createModerator(ctx)).id]) {
      const page = await seen(own.collectionId, viewerId);
      expect(page?.entries.map(({ number, post }) => [number, post.title])).toEqual([
        [1, "um"],
        [2, "dois"],
        [3, "três"],
      ]);
      expect([page?.collection.postsCount, page?.progress.total]).toEqual([3, 3]);
      const place = async (postId: string) =>
        placesFromRows(
          await placesStatement(ctx, { postId, viewerId, collectionId: own.collectionId }),
          own.collectionId,
        ).readIn;
      expect(await place(second)).toMatchObject({
        number: 2,
        total: 3,
        previous: { id: first, title: "um" },
        next: { id: third, title: "três" },
      });
      expect(await place(first)).toMatchObject({ previous: null, next: { id: second } });
      expect([await place(draft), await place(held), await place(scheduled)]).toEqual([
        null,
        null,
        null,
      ]);
    }
  });

  test("sees the thumbnail and lock reason of a locked post, never its text", async () => {
    const own = await collectionOf(ctx, ana, ["fechada"], { audience: "subscribers" });
    const page = await seen(own.collectionId, null);
    expect(page?.entries[0]?.post).toMatchObject({
      title: "fechada",
      excerpt: "",
      access: { visible: false, reasons: [{ kind: "subscribers" }] },
    });
    expect(JSON.stringify(page)).not.toContain("Texto de fechada");
  });

  test("has no access across a block in either direction, nor when the collection is held or its creator banned or leaving", async () => {
    const rui = await createSeller(ctx);
    const own = await collectionOf(ctx, rui, ["a"]);
    const [fan, blocked, blocker, payer, staff] = [
      await createPerson(ctx),
      await createPerson(ctx),
      await createPerson(ctx),
      await createPerson(ctx),
      await createModerator(ctx),
    ];
    await paidSubscription(world, payer, rui);
    await block(ctx, { personId: rui.id, otherId: blocked.id });
    await block(ctx, { personId: blocker.id, otherId: rui.id });
    const everyone = async () => {
      const viewers = {
        visitor: null,
        fan: fan.id,
        blocked: blocked.id,
        blocker: blocker.id,
        payer: payer.id,
        creator: rui.id,
        staff: staff.id,
      };
      const shown: string[] = [];
      for (const [name, viewerId] of Object.entries(viewers)) {
        const [page, listed] = [
          await seen(own.collectionId, viewerId),
          await listedFor(rui, viewerId),
        ];
        expect(listed.length > 0).toBe(page !== null);
        if (page) shown.push(name);
      }
      return shown;
    };
    expect(await everyone()).toEqual(["visitor", "fan", "payer", "creator", "staff"]);
    const rui_ = eq(people.id, rui.id);
    await ctx.db.update(people).set({ leavingAt: ctx.now() }).where(rui_);
    expect(await everyone()).toEqual(["payer", "creator", "staff"]);
    await ctx.db.update(people).set({ leavingAt: null, bannedAt: ctx.now() }).where(rui_);
    expect(await everyone()).toEqual(["creator", "staff"]);
    await ctx.db.update(people).set({ bannedAt: null }).where(rui_);
    await holdCollection(ctx, { collectionId: own.collectionId });
    expect(await everyone()).toEqual(["creator", "staff"]);
    await expect(holdCollection(ctx, { collectionId: own.collectionId })).rejects.toThrow(
      CollectionNotFound,
    );
  });

  test("sees everything inside after a purchase, even later posts or a leaving creator's, and nothing after its end", async () => {
    const rui = await createSeller(ctx);
    const own = await collectionOf(ctx, rui, ["a", "b"], {
      audience: "subscribers",
      priceCents: 500,
    });
    const [buyer, former] = [await createPerson(ctx), await createPerson(ctx)];
    await bought(buyer, own);
    await bought(former, own, true);
    await addPosts(ctx, {
      ...own,
      postIds: [await publishInCollection(ctx, rui, "c", "subscribers")],
    });
    const open = async (viewerId: string | null) =>
      (await seen(own.collectionId, viewerId))?.entries.map(({ post }) => post.access.visible);
    expect([await open(buyer.id), await open(former.id), await open(null)]).toEqual([
      [true, true, true],
      [false, false, false],
      [false, false, false],
    ]);
    await ctx.db.update(people).set({ leavingAt: ctx.now() }).where(eq(people.id, rui.id));
    expect([await open(buyer.id), await open(former.id)]).toEqual([[true, true, true], undefined]);
  });

  test("gets pages without duplicates or gaps, which continue after a removed post", async () => {
    const own = await collectionOf(ctx, ana, ["a", "b", "c", "d", "e"]);
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof collectionFor>> = await collectionFor(ctx, {
        collectionId: own.collectionId,
        viewerId: null,
        cursor,
        limit: 2,
      });
      pages.push(page?.entries.map(({ number, post }) => `${number}${post.title}`) ?? []);
      cursor = page?.next ?? null;
    } while (cursor);
    expect(pages).toEqual([["1a", "2b"], ["3c", "4d"], ["5e"]]);
  });

  test("sees every visible collection of a post, starting with the one being read", async () => {
    const [one, two] = [
      await collectionOf(ctx, ana, ["x"], { title: "Um" }),
      await collectionOf(ctx, ana, [], { title: "Dois" }),
    ];
    const postId = one.postIds[0] ?? "";
    await addPosts(ctx, { ...two, postIds: [postId] });
    const places = async (collectionId: string | null) =>
      placesFromRows(
        await placesStatement(ctx, { postId, viewerId: null, collectionId }),
        collectionId,
      );
    expect((await places(two.collectionId)).places.map(({ title }) => title)).toEqual([
      "Dois",
      "Um",
    ]);
    expect(await places("another")).toMatchObject({
      readIn: null,
      places: [{ title: "Um" }, { title: "Dois" }],
    });
    await deleteCollection(ctx, one);
    expect((await places(null)).places.map(({ title }) => title)).toEqual(["Dois"]);
  });
});

test("the pages of collections read indexes, never a whole table", async () => {
  const statements = [
    collectionsStatement(ctx, { creatorKey: "ana", viewerId: "v", limit: 5 }),
    outlineStatement(ctx, { collectionId: "c", viewerId: "v" }),
    placesStatement(ctx, { postId: "p", viewerId: "v", collectionId: "c" }),
  ];
  for (const statement of statements) {
    const { sql: query, params } = statement.toSQL();
    expect(params.length).toBeLessThanOrEqual(100);
    expect([query, await wholeTableReads(world.env.DB, { query, params })]).toEqual([query, []]);
  }
});

test("a summary of a locked cover has no description", () => {
  const row = {
    id: "c",
    title: "T",
    description: "",
    postsCount: 1,
    priceCents: null,
    coverMediaId: "m",
    coverAlt: "segredo",
    isCoverOpen: 0,
    creatorSells: 1,
  };
  expect(JSON.stringify(toCollectionSummary(row))).not.toContain("segredo");
});
