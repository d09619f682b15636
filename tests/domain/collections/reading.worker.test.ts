import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import {
  eraseReadingData,
  eraseCollectionsStatements,
} from "#app/domain/collections/commands/erasure.server.ts";
import { markRead, markUnread } from "#app/domain/collections/commands/reading.server.ts";
import { collectionFor } from "#app/domain/collections/queries.server.ts";
import { importCandidates } from "#app/domain/collections/queries/studio.server.ts";
import { parseImportFilter } from "#app/domain/collections/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { commit } from "#app/db/client.server.ts";
import { saveDraft } from "#app/domain/posts/commands/compose.server.ts";
import { attachMediaStatements } from "#app/domain/posts/commands/attach-media.server.ts";
import { deletePost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { PostLocked, PostNotFound } from "#app/domain/posts/errors.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { collectionPosts, collections, postReads } from "#drizzle/schema/collections.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { testClock } from "#tests/support/clock.ts";
import { collectionOf, publishInCollection } from "#tests/support/collections.ts";
import { testContext } from "#tests/support/context.ts";
import { mp3 } from "#tests/support/media-files.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { sendUploadOk } from "#tests/support/uploads.ts";

let ctx: Context;
let ana: Seller;
beforeAll(async () => {
  ({ ctx } = await testContext());
  ana = await createSeller(ctx);
});

const progress = async (collectionId: string, viewerId: string | null) =>
  (await collectionFor(ctx, { collectionId, viewerId, cursor: null, limit: 30 }))?.progress;

describe("the reading progress of a member", () => {
  test("is saved only for them, and shows where to continue", async () => {
    const own = await collectionOf(ctx, ana, ["a", "b", "c"]);
    const [first = "", second = "", third = ""] = own.postIds;
    const [reader, other] = [await createPerson(ctx), await createPerson(ctx)];
    await markRead(ctx, { postId: first, personId: reader.id });
    await markRead(ctx, { postId: first, personId: reader.id });
    expect(await progress(own.collectionId, reader.id)).toEqual({
      total: 3,
      read: 1,
      percent: 33,
      isStarted: true,
      continueId: second,
    });
    for (const viewerId of [other.id, ana.id, null])
      expect(await progress(own.collectionId, viewerId)).toEqual({
        total: 3,
        read: 0,
        percent: 0,
        isStarted: false,
        continueId: first,
      });
    await markRead(
      { ...ctx, now: () => testClock.now() + 1_000 },
      { postId: second, personId: reader.id },
    );
    expect(await progress(own.collectionId, reader.id)).toMatchObject({
      percent: 66,
      continueId: third,
    });
    await markUnread(ctx, { postId: second, personId: reader.id });
    await markUnread(ctx, { postId: second, personId: reader.id });
    expect(await progress(own.collectionId, reader.id)).toMatchObject({
      percent: 33,
      continueId: second,
    });
  });

  test("excludes posts that they cannot see", async () => {
    const closed = await publishInCollection(ctx, ana, "fechada", "subscribers");
    const reader = await createPerson(ctx);
    await expect(markRead(ctx, { postId: closed, personId: reader.id })).rejects.toThrow(
      PostLocked,
    );
    await expect(markRead(ctx, { postId: "nobodys", personId: reader.id })).rejects.toThrow(
      PostNotFound,
    );
    expect(await ctx.db.select().from(postReads).where(eq(postReads.personId, reader.id))).toEqual(
      [],
    );
  });

  test("is erased with their account in limited portions, as are their collections", async () => {
    const rui = await createSeller(ctx);
    const own = await collectionOf(ctx, rui, ["a", "b", "c"]);
    for (const postId of own.postIds) await markRead(ctx, { postId, personId: rui.id });
    expect([
      await eraseReadingData(ctx, { personId: rui.id, limit: 2 }),
      await eraseReadingData(ctx, { personId: rui.id, limit: 2 }),
      await eraseReadingData(ctx, { personId: rui.id, limit: 2 }),
    ]).toEqual([4, 2, 0]);
    await commit(ctx.db, eraseCollectionsStatements(ctx, { creatorId: rui.id }));
    expect(
      await ctx.db.select().from(collections).where(eq(collections.creatorId, rui.id)),
    ).toEqual([]);
    expect(
      await ctx.db
        .select()
        .from(collectionPosts)
        .where(eq(collectionPosts.collectionId, own.collectionId)),
    ).toEqual([]);
  });
});

describe("finding posts to add", () => {
  const look = async (
    bia: Seller,
    collectionId: string,
    asked = "",
    { cursor = null, limit = 100 }: { cursor?: string | null; limit?: number } = {},
  ) =>
    importCandidates(ctx, {
      collectionId,
      creatorId: bia.id,
      filter: parseImportFilter(new URLSearchParams(asked)),
      cursor,
      limit,
    });

  test("finds the creator's posts outside the collection by accent-free words, kind, state and day, newest first", async () => {
    const bia = await createSeller(ctx);
    const own = await collectionOf(ctx, bia, ["dentro"]);
    const [song, article, old, gone] = [
      await publishInCollection(ctx, bia, "Música de câmara"),
      await publishInCollection(ctx, bia, "Só palavras"),
      await publishInCollection(ctx, bia, "Antiga"),
      await publishInCollection(ctx, bia, "Apagada"),
    ];
    await publishInCollection(ctx, ana, "Música de outra pessoa");
    await deletePost(ctx, { postId: gone, authorId: bia.id });
    await ctx.db
      .update(posts)
      .set({ publishedAt: ctx.now() - 40 * DAY_MS })
      .where(eq(posts.id, old));
    const sound = await sendUploadOk(ctx, bia, mp3(), { filename: "valsa.mp3" });
    await commit(
      ctx.db,
      await attachMediaStatements(ctx, {
        postId: song,
        ownerId: bia.id,
        media: [{ mediaId: sound.id, alt: "" }],
      }),
    );
    const draft = ctx.newId();
    await saveDraft(ctx, {
      postId: draft,
      version: 0,
      tab: "t",
      authorId: bia.id,
      title: "Em obras",
      content: "x",
      teaser: "",
      isSensitive: false,
      rules: [],
      image: null,
      media: null,
      removesImage: false,
    });
    const found = async (asked: string) =>
      (await look(bia, own.collectionId, asked)).items.map(({ title }) => title);
    expect(await found("")).toEqual(["Só palavras", "Música de câmara", "Antiga"]);
    expect(await found("q=camara+MUSICA")).toEqual(["Música de câmara"]);
    expect(await found("kind=audio")).toEqual(["Música de câmara"]);
    expect(await found("kind=text")).toEqual(["Só palavras", "Antiga"]);
    expect(await found("kind=video")).toEqual([]);
    expect(await found("state=unpublished")).toEqual(["Em obras"]);
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    expect(await found(`to=${day(ctx.now() - 30 * DAY_MS)}`)).toEqual(["Antiga"]);
    expect(await found(`from=${day(ctx.now() - 30 * DAY_MS)}`)).toEqual([
      "Só palavras",
      "Música de câmara",
    ]);
    expect((await look(bia, own.collectionId, "kind=audio")).items[0]).toMatchObject({
      kind: "audio",
      state: "published",
    });
    expect(article).toBeTruthy();
  });

  test("returns pages, with and without search words", async () => {
    const bia = await createSeller(ctx);
    const own = await collectionOf(ctx, bia, []);
    for (const title of ["valsa 1", "valsa 2", "valsa 3", "valsa 4", "valsa 5"])
      await publishInCollection(ctx, bia, title);
    for (const asked of ["", "q=valsa"]) {
      const first = await look(bia, own.collectionId, asked, { limit: 2 });
      const second = await look(bia, own.collectionId, asked, { limit: 2, cursor: first.next });
      const third = await look(bia, own.collectionId, asked, { limit: 2, cursor: second.next });
      expect(
        [first, second, third].flatMap(({ items }) => items.map(({ title }) => title)),
      ).toEqual(["valsa 5", "valsa 4", "valsa 3", "valsa 2", "valsa 1"]);
      expect(third.next).toBeNull();
    }
  });
});
