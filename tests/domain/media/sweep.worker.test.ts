import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { storeImage } from "#app/domain/media/commands.server.ts";
import {
  CLAIMED_MS,
  sweepMedia,
  UNUSED_MS,
  UPLOAD_IDLE_MS,
} from "#app/domain/media/commands/sweep.server.ts";
import { storedBytes } from "#app/domain/media/commands/uploads.server.ts";
import { MediaNotOwned } from "#app/domain/media/errors.ts";
import { MEDIA_USES, ownedMedia } from "#app/domain/media/queries.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { attachMediaStatements } from "#app/domain/posts/commands/attach-media.server.ts";
import { mediaUploads } from "#drizzle/schema/media.ts";
import { postMedia } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { testContext } from "#tests/support/context.ts";
import { pngImage } from "#tests/support/images.ts";
import { mp3, webm } from "#tests/support/media-files.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { startedUpload, completedUpload, sendPart, sendUploadOk } from "#tests/support/uploads.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let ctx: Context;
let ana: Seller;
let later: (ms: number) => Context;
beforeEach(async () => {
  ({ ctx } = await testContext());
  const { now } = ctx;
  later = (ms) => ({ ...ctx, now: () => now() + ms });
  ana = await createSeller(ctx);
});

const keysOf = async (id: string) =>
  (await testEnv.MEDIA.list({ prefix: `media/${id}/` })).objects.length;
const isThere = async (id: string) =>
  (await testEnv.DB.prepare("SELECT 1 FROM media WHERE id = ?").bind(id).first()) !== null;
const sound = () => sendUploadOk(ctx, ana, mp3(), { filename: "valsa.mp3" });
const post = async () =>
  (
    await publishPost(ctx, {
      authorId: ana.id,
      title: "Valsa",
      content: "Nova.",
      teaser: "",
      audience: "public",
      planIds: [],
      image: null,
    })
  ).postId;
const attach = async (postId: string, mediaId: string) =>
  commit(
    ctx.db,
    await attachMediaStatements(ctx, { postId, ownerId: ana.id, media: [{ mediaId, alt: "" }] }),
  );

/** Runs the sweep now, and again after every waiting time. */
async function sweptLater(): Promise<void> {
  await sweepMedia(later(UNUSED_MS + 1_000));
  await sweepMedia(later(UNUSED_MS + CLAIMED_MS + 2_000));
}

describe("an unused file", () => {
  test("is deleted after a week, with its row, bytes and storage usage", async () => {
    const { id } = await sound();
    await sweepMedia(later(UNUSED_MS - 1_000));
    expect([
      await isThere(id),
      await keysOf(id),
      await storedBytes(ctx, { ownerId: ana.id }),
    ]).toEqual([true, 1, mp3().byteLength]);
    await sweptLater();
    expect([
      await isThere(id),
      await keysOf(id),
      await storedBytes(ctx, { ownerId: ana.id }),
    ]).toEqual([false, 0, 0]);
  });

  test("a replaced avatar is deleted, and the one in use never", async () => {
    const avatar = async () =>
      (
        await storeImage(ctx, {
          ownerId: ana.id,
          purpose: "avatar",
          bytes: await pngImage(40, 40),
          alt: "",
          field: "avatar",
        })
      ).mediaId;
    const [first, second, banner] = [await avatar(), await avatar(), await avatar()];
    const wear = (mediaId: string) =>
      ctx.db
        .update(profiles)
        .set({ avatarMediaId: mediaId, bannerMediaId: banner })
        .where(eq(profiles.personId, ana.id));
    await wear(first);
    await sweptLater();
    expect([await isThere(first), await isThere(second)]).toEqual([true, false]);
    const third = await avatar();
    await wear(third);
    await sweptLater();
    await sweepMedia(later(3 * UNUSED_MS));
    expect([
      await isThere(first),
      await keysOf(first),
      await isThere(third),
      await keysOf(third),
      await isThere(banner),
    ]).toEqual([false, 0, true, 2, true]);
  });

  test("a file removed from its post waits a week again", async () => {
    const { id } = await sound();
    const postId = await post();
    await attach(postId, id);
    await ctx.db.delete(postMedia).where(eq(postMedia.postId, postId));
    await sweepMedia(later(UNUSED_MS - 60_000));
    expect(await isThere(id)).toBe(true);
    await sweptLater();
    expect(await isThere(id)).toBe(false);
  });
});

describe("a used file is never deleted", () => {
  test("a file of a post of any age, of a draft, or of a deleted post that can be restored", async () => {
    const { id } = await sound();
    const postId = await post();
    await attach(postId, id);
    await testEnv.DB.prepare("UPDATE posts SET deleted_at = 1 WHERE id = ?").bind(postId).run();
    await sweptLater();
    await sweepMedia(later(50 * UNUSED_MS));
    expect([await isThere(id), await keysOf(id)]).toEqual([true, 1]);
  });

  test("a file in use that is still marked as unused", async () => {
    const { id } = await sound();
    await attach(await post(), id);
    await testEnv.DB.prepare("UPDATE media SET unused_since = 1 WHERE id = ?").bind(id).run();
    await sweptLater();
    expect(await isThere(id)).toBe(true);
  });

  test("publishing while the sweep claims the file: one of them fails, and the file is whole or refused", async () => {
    const old = later(UNUSED_MS + 1_000);
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const { id } = await sound();
      const postId = await post();
      const [attached] = await Promise.allSettled([attach(postId, id), sweepMedia(old)]);
      await sweepMedia(later(UNUSED_MS + CLAIMED_MS + 2_000));
      const isShown =
        (await ctx.db.select().from(postMedia).where(eq(postMedia.postId, postId))).length === 1;
      expect([isShown, await isThere(id), (await keysOf(id)) > 0]).toEqual([
        isShown,
        isShown,
        isShown,
      ]);
      expect(attached?.status).toBe(isShown ? "fulfilled" : "rejected");
      outcomes.add(isShown ? "shown" : "swept");
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });

  test("a claimed file cannot be attached to a post or a profile by any command", async () => {
    const { id } = await sound();
    const postId = await post();
    const writes = await attachMediaStatements(ctx, {
      postId,
      ownerId: ana.id,
      media: [{ mediaId: id, alt: "" }],
    });
    await sweepMedia(later(UNUSED_MS + 1_000));
    await expect(commit(ctx.db, writes)).rejects.toMatchObject({ name: "StaleWrite" });
    await expect(attach(postId, id)).rejects.toBeInstanceOf(MediaNotOwned);
    expect(await ownedMedia(ctx, { ownerId: ana.id, mediaIds: [id] })).toEqual([]);
    await expect(
      commit(ctx.db, [ctx.db.insert(postMedia).values({ postId, mediaId: id, position: 0 })]),
    ).rejects.toBeInstanceOf(RuleViolation);
    const wear = ctx.db
      .update(profiles)
      .set({ avatarMediaId: id })
      .where(eq(profiles.personId, ana.id));
    await expect(commit(ctx.db, [wear])).rejects.toBeInstanceOf(RuleViolation);
  });

  test("the sweep knows every column that references a file, and each column has an index", async () => {
    const { results: tables } = await testEnv.DB.prepare(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table'",
    ).all<{ name: string; sql: string }>();
    const columns = tables.flatMap(({ name, sql }) =>
      [...sql.matchAll(/[`"](\w*media_id)[`"] text/g)].map(([, column]) => `${name}.${column}`),
    );
    expect(columns.toSorted()).toEqual(
      MEDIA_USES.map(([table, column]) => `${table}.${column}`).toSorted(),
    );
    for (const [table, column] of MEDIA_USES) {
      const { results } = await testEnv.DB.prepare(
        `EXPLAIN QUERY PLAN SELECT 1 FROM ${table} WHERE ${column} = 'x'`,
      ).all<{ detail: string }>();
      expect(results.map(({ detail }) => detail).join(" ")).toContain(`(${column}=?)`);
    }
  });

  test("finding unused files uses an index, without a table scan", async () => {
    const { results } = await testEnv.DB.prepare(
      "EXPLAIN QUERY PLAN SELECT id FROM media WHERE unused_since IS NOT NULL AND unused_since < 5 AND swept_at IS NULL ORDER BY unused_since LIMIT 9",
    ).all<{ detail: string }>();
    expect(results.map(({ detail }) => detail).join(" ")).toContain("media_unused");
  });
});

describe("an abandoned upload", () => {
  test("is deleted with its parts after three days; an upload with progress stays", async () => {
    const bytes = webm();
    const idle = await startedUpload(ctx, ana, bytes, { filename: "a.webm" });
    await sendPart(ctx, ana, idle, 1, bytes);
    const moving = await startedUpload(ctx, ana, bytes, { filename: "b.webm" });
    await sendPart(later(UPLOAD_IDLE_MS), ana, moving, 1, bytes);
    await sweepMedia(later(UPLOAD_IDLE_MS + 60_000));
    expect(
      (
        await ctx.db
          .select({ id: mediaUploads.id })
          .from(mediaUploads)
          .where(eq(mediaUploads.ownerId, ana.id))
      ).map(({ id }) => id),
    ).toEqual([moving.id]);
    expect((await completedUpload(ctx, ana, idle)).status).toBe(404);
    expect(await keysOf(idle.id)).toBe(0);
    expect((await completedUpload(ctx, ana, moving)).status).toBe(200);
  });

  test("a completed upload loses only its row: its file stays", async () => {
    const { id } = await sound();
    await attach(await post(), id);
    await sweepMedia(later(UPLOAD_IDLE_MS + 60_000));
    expect(await ctx.db.select().from(mediaUploads).where(eq(mediaUploads.id, id))).toEqual([]);
    expect([await isThere(id), await keysOf(id)]).toEqual([true, 1]);
  });

  test("completing while the sweep claims the upload: the file is whole, or the upload and its bytes are gone", async () => {
    for (let round = 0; round < 8; round += 1) {
      const bytes = mp3();
      const upload = await startedUpload(ctx, ana, bytes, { filename: "a.mp3" });
      await sendPart(ctx, ana, upload, 1, bytes);
      const old = later(UPLOAD_IDLE_MS + 60_000);
      const [answer] = await Promise.all([completedUpload(ctx, ana, upload), sweepMedia(old)]);
      await sweepMedia(later(UPLOAD_IDLE_MS + 120_000));
      const isServed = answer.status === 200;
      expect([await isThere(upload.id), (await keysOf(upload.id)) > 0]).toEqual([
        isServed,
        isServed,
      ]);
    }
  });
});
