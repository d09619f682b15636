import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import {
  createCollection,
  deleteCollection,
  restoreCollection,
  updateCollection,
} from "#app/domain/collections/commands.server.ts";
import { addPosts } from "#app/domain/collections/commands/placing.server.ts";
import {
  CollectionNotFound,
  CollectionSold,
  TooLateToRestoreCollection,
  TooManyCollections,
} from "#app/domain/collections/errors.ts";
import {
  collectionFor,
  collectionsStatement,
  outlineStatement,
  toCollectionSummary,
} from "#app/domain/collections/queries.server.ts";
import { placesFromRows, placesStatement } from "#app/domain/collections/queries/place.server.ts";
import {
  editableCollection,
  editableCollections,
} from "#app/domain/collections/queries/studio.server.ts";
import type { Context } from "#app/domain/context.ts";
import { holdCollection, holdPost } from "#app/domain/moderation/commands.server.ts";
import { NotAnImage } from "#app/domain/media/errors.ts";
import { saveDraft } from "#app/domain/posts/commands/compose.server.ts";
import { deletePost, unpublishPost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { NotACreator } from "#app/domain/posts/errors.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { collections } from "#drizzle/schema/collections.ts";
import { people } from "#drizzle/schema/identity.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { insertPurchaseRows } from "#tests/support/purchase-rows.ts";
import { testClock } from "#tests/support/clock.ts";
import { collectionOf, plainCollection, publishInCollection } from "#tests/support/collections.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pngImage } from "#tests/support/images.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { requestAs } from "#tests/support/uploads.ts";
import { wholeTableReads } from "#tests/support/query-plan.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";

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
const titlesFor = async (collectionId: string, viewerId: string | null) =>
  (await seen(collectionId, viewerId))?.entries.map(({ post }) => post.title) ?? null;
const listedFor = async (creator: TestPerson, viewerId: string | null) =>
  (await collectionsStatement(ctx, { creatorKey: creator.username, viewerId, limit: 10 })).map(
    ({ title }) => title,
  );
const later = (ms: number): Context => ({ ...ctx, now: () => testClock.now() + ms });

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

describe("a collection", () => {
  test("is created by a creator, can be changed only by them, and returns its data", async () => {
    await expect(
      createCollection(ctx, { ...plainCollection, creatorId: (await createPerson(ctx)).id }),
    ).rejects.toThrow(NotACreator);
    const { collectionId } = await createCollection(ctx, {
      ...plainCollection,
      creatorId: ana.id,
      title: "Aulas",
      description: "Do começo.",
      priceCents: 2_990,
    });
    expect(await editableCollection(ctx, { collectionId, creatorId: ana.id })).toMatchObject({
      title: "Aulas",
      description: "Do começo.",
      priceCents: 2_990,
      placedCount: 0,
      coverMediaId: null,
    });
    await updateCollection(ctx, {
      ...plainCollection,
      collectionId,
      creatorId: ana.id,
      title: "Lições",
    });
    expect(await seen(collectionId, null)).toMatchObject({
      collection: {
        title: "Lições",
        description: "",
        priceCents: null,
        cover: null,
        postsCount: 0,
      },
      creator: { username: ana.username },
    });
    const stranger = (await createSeller(ctx)).id;
    for (const act of [
      updateCollection(ctx, { ...plainCollection, collectionId, creatorId: stranger }),
      deleteCollection(ctx, { collectionId, creatorId: stranger }),
      restoreCollection(ctx, { collectionId, creatorId: stranger }),
    ]) {
      await expect(act).rejects.toThrow(CollectionNotFound);
    }
  });

  test("is deleted, can be restored within thirty days, and not later", async () => {
    const own = await collectionOf(ctx, ana, ["a", "b"]);
    await deleteCollection(ctx, own);
    await deleteCollection(ctx, own);
    expect([await seen(own.collectionId, null), await seen(own.collectionId, ana.id)]).toEqual([
      null,
      null,
    ]);
    expect(
      (await editableCollections(ctx, { creatorId: ana.id })).deleted.map(({ id }) => id),
    ).toContain(own.collectionId);
    await expect(updateCollection(ctx, { ...plainCollection, ...own })).rejects.toThrow(
      CollectionNotFound,
    );
    await restoreCollection(ctx, own);
    expect(await titlesFor(own.collectionId, null)).toEqual(["a", "b"]);
    await deleteCollection(ctx, own);
    await expect(restoreCollection(later(30 * DAY_MS + 1_000), own)).rejects.toThrow(
      TooLateToRestoreCollection,
    );
    expect(
      (await editableCollections(later(30 * DAY_MS + 1_000), { creatorId: ana.id })).deleted.map(
        ({ id }) => id,
      ),
    ).not.toContain(own.collectionId);
  });

  test("with an active or late-paid purchase cannot be deleted; one whose purchases have ended can", async () => {
    const own = await collectionOf(ctx, ana, ["a"], { priceCents: 500 });
    const fan = await createPerson(ctx);
    await bought(fan, own);
    await expect(deleteCollection(ctx, own)).rejects.toThrow(CollectionSold);
    expect(await seen(own.collectionId, fan.id)).toMatchObject({ isBought: true });
    const over = await collectionOf(ctx, ana, ["a"], { priceCents: 500 });
    await bought(fan, over, true);
    await deleteCollection(ctx, over);
    expect(await seen(over.collectionId, fan.id)).toBeNull();
  });

  test("counts toward the limit of 100 a page, checked on write; a deleted one frees its place", async () => {
    const bia = await createSeller(ctx);
    for (let made = 0; made < 98; made += 1)
      await ctx.db
        .insert(collections)
        .values({ id: ctx.newId(), creatorId: bia.id, title: `c${made}`, createdAt: ctx.now() });
    const last = await createCollection(ctx, { ...plainCollection, creatorId: bia.id });
    const two = await Promise.allSettled(
      [1, 2].map(() => createCollection(ctx, { ...plainCollection, creatorId: bia.id })),
    );
    expect(two.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(createCollection(ctx, { ...plainCollection, creatorId: bia.id })).rejects.toThrow(
      TooManyCollections,
    );
    const own = { collectionId: last.collectionId, creatorId: bia.id };
    await deleteCollection(ctx, own);
    await createCollection(ctx, { ...plainCollection, creatorId: bia.id });
    await expect(restoreCollection(ctx, own)).rejects.toThrow(TooManyCollections);
  });

  test("refuses a price outside the limits in the database", async () => {
    const { collectionId } = await collectionOf(ctx, ana, []);
    for (const priceCents of [0, 499, 500_001]) {
      await expect(
        commit(ctx.db, [
          ctx.db.update(collections).set({ priceCents }).where(eq(collections.id, collectionId)),
        ]),
      ).rejects.toEqual(new RuleViolation("collection_price"));
      await expect(
        commit(ctx.db, [
          ctx.db
            .insert(collections)
            .values({ id: ctx.newId(), creatorId: ana.id, title: "T", priceCents, createdAt: 1 }),
        ]),
      ).rejects.toEqual(new RuleViolation("collection_price"));
    }
  });
});

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

describe("a cover", () => {
  const withCover = async (
    audience: "public" | "subscribers",
    titles = ["a"],
    priceCents: number | null = null,
  ) => {
    const own = await collectionOf(ctx, ana, titles, {
      audience,
      priceCents,
      cover: { bytes: await pngImage(900, 600) },
      coverAlt: "A rabeca na mesa",
    });
    const coverMediaId = (await editableCollection(ctx, own))?.coverMediaId ?? "";
    return { ...own, coverMediaId };
  };
  const status = async (viewer: TestPerson | null, mediaId: string, variant: string) =>
    (await requestAs(ctx, viewer, `/media/${mediaId}/${variant}`)).status;

  test("of an open collection is public with its description; of a locked one only its thumbnail", async () => {
    const [open, closed] = [await withCover("public"), await withCover("subscribers")];
    expect((await seen(open.collectionId, null))?.collection.cover).toEqual({
      mediaId: open.coverMediaId,
      isOpen: true,
      alt: "A rabeca na mesa",
    });
    expect((await seen(closed.collectionId, null))?.collection.cover).toEqual({
      mediaId: closed.coverMediaId,
      isOpen: false,
      alt: "",
    });
    expect([
      await status(null, open.coverMediaId, "640"),
      await status(null, open.coverMediaId, "face"),
    ]).toEqual([200, 200]);
    expect([
      await status(null, closed.coverMediaId, "1280"),
      await status(null, closed.coverMediaId, "640"),
      await status(null, closed.coverMediaId, "face"),
    ]).toEqual([404, 404, 200]);
    const face = await requestAs(ctx, null, `/media/${closed.coverMediaId}/face`);
    expect(
      (await world.env.IMAGES.info(face.body ?? new ReadableStream())) as { width?: number },
    ).toMatchObject({ width: 24 });
  });

  test("opens with the first post inside: to subscribers, buyers, the creator and team, and moderators", async () => {
    const rui = await createSeller(ctx);
    const made = await createTeamFor(ctx, rui);
    const own = await collectionOf(ctx, rui, ["a"], {
      audience: "subscribers",
      priceCents: 500,
      cover: { bytes: await pngImage(900, 600) },
    });
    const mediaId = (await editableCollection(ctx, own))?.coverMediaId ?? "";
    const [fan, payer, buyer, mate, staff] = [
      await createPerson(ctx),
      await createPerson(ctx),
      await createPerson(ctx),
      await createTeammate(ctx, made),
      await createModerator(ctx),
    ];
    await paidSubscription(world, payer, rui);
    await bought(buyer, own);
    const answers: number[] = [];
    for (const viewer of [fan, payer, buyer, mate, staff, rui])
      answers.push(await status(viewer, mediaId, "640"));
    expect(answers).toEqual([404, 200, 200, 200, 200, 200]);
    const response = await requestAs(ctx, buyer, `/media/${mediaId}/640`);
    expect([response.headers.get("Cache-Control"), response.headers.get("Vary")]).toEqual([
      "private, no-cache",
      "Cookie",
    ]);
  });

  test("of an empty collection is open unless the collection is for sale", async () => {
    const [free, sold] = [await withCover("public", []), await withCover("public", [], 500)];
    expect([
      await status(null, free.coverMediaId, "640"),
      await status(null, sold.coverMediaId, "640"),
      await status(null, sold.coverMediaId, "face"),
    ]).toEqual([200, 404, 200]);
  });

  test("is hidden with its collection, thumbnail included", async () => {
    const own = await withCover("public");
    await deleteCollection(ctx, own);
    expect([
      await status(null, own.coverMediaId, "640"),
      await status(null, own.coverMediaId, "face"),
    ]).toEqual([404, 404]);
  });

  test("can be replaced, described again and removed; an invalid image changes nothing", async () => {
    const own = await withCover("public");
    await updateCollection(ctx, { ...plainCollection, ...own, coverAlt: "Outra frase" });
    expect((await seen(own.collectionId, null))?.collection.cover).toEqual({
      mediaId: own.coverMediaId,
      isOpen: true,
      alt: "Outra frase",
    });
    await expect(
      updateCollection(ctx, {
        ...plainCollection,
        ...own,
        title: "Novo",
        cover: { bytes: new TextEncoder().encode("<svg/>").buffer as ArrayBuffer },
      }),
    ).rejects.toThrow(NotAnImage);
    expect((await seen(own.collectionId, null))?.collection).toMatchObject({
      title: "Quintal",
      cover: { mediaId: own.coverMediaId },
    });
    await updateCollection(ctx, {
      ...plainCollection,
      ...own,
      cover: { bytes: await pngImage(50, 50) },
    });
    const second = (await editableCollection(ctx, own))?.coverMediaId;
    expect(second).not.toBe(own.coverMediaId);
    await updateCollection(ctx, { ...plainCollection, ...own, removesCover: true });
    expect((await seen(own.collectionId, null))?.collection.cover).toBeNull();
    const left = await world.env.DB.prepare("SELECT unused_since FROM media WHERE id IN (?, ?)")
      .bind(own.coverMediaId, second)
      .all<{ unused_since: number | null }>();
    expect(left.results.every(({ unused_since }) => unused_since !== null)).toBe(true);
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
