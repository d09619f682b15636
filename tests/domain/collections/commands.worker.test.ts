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
import {
  CollectionNotFound,
  CollectionSold,
  TooLateToRestoreCollection,
  TooManyCollections,
} from "#app/domain/collections/errors.ts";
import { collectionFor } from "#app/domain/collections/queries.server.ts";
import {
  editableCollection,
  editableCollections,
} from "#app/domain/collections/queries/studio.server.ts";
import type { Context } from "#app/domain/context.ts";
import { NotAnImage } from "#app/domain/media/errors.ts";
import { NotACreator } from "#app/domain/posts/errors.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { collections } from "#drizzle/schema/collections.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { insertPurchaseRows } from "#tests/support/purchase-rows.ts";
import { testClock } from "#tests/support/clock.ts";
import { collectionOf, plainCollection } from "#tests/support/collections.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pngImage } from "#tests/support/images.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { requestAs } from "#tests/support/uploads.ts";
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
