import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import {
  addComment,
  editComment,
  eraseRemovedComments,
  removeComment,
  restoreComment,
} from "#app/domain/comments/commands.server.ts";
import { likeComment } from "#app/domain/comments/commands/likes.server.ts";
import {
  CommentActionRefused,
  CommentNotFound,
  EditWindowOver,
} from "#app/domain/comments/errors.ts";
import {
  repliesFromRows,
  repliesStatement,
  REPLIES_SHOWN,
} from "#app/domain/comments/queries.server.ts";
import { EDIT_WINDOW_MS, UNDO_WINDOW_MS } from "#app/domain/comments/rules.ts";
import { PostLocked, PostNotFound } from "#app/domain/posts/errors.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { comments } from "#drizzle/schema/comments.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { commentHelpers } from "#tests/support/comments.ts";

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});

const { newcomer, publish, say, seen, count, notified, block } = commentHelpers(() => ({
  world,
  author: ana,
}));

describe("threads of comments", () => {
  test("have two levels: a reply to a reply joins the same thread, and all are counted", async () => {
    const [postId, bia, caio] = [await publish(), await newcomer("Bia"), await newcomer("Caio")];
    const root = await say(postId, bia);
    const reply = await say(postId, caio, "Também acho", root);
    const deeper = await say(postId, bia, "Né?", reply);
    const [thread] = await seen(postId, caio);
    expect(thread).toMatchObject({
      id: root,
      repliesCount: 2,
      replies: [{ id: reply }, { id: deeper }],
    });
    expect(await count(postId)).toBe(3);
  });

  test("the database refuses a third level and a reply to another post's comment", async () => {
    const [postId, other, bia] = [await publish(), await publish(), await newcomer("Bia")];
    const root = await say(postId, bia);
    const reply = await say(postId, bia, "eu de novo", root);
    const row = { id: world.ctx.newId(), postId, authorId: bia.id, body: "x", createdAt: 1 };
    for (const wrong of [{ parentId: reply }, { postId: other, parentId: root }]) {
      await expect(
        commit(world.ctx.db, [world.ctx.db.insert(comments).values({ ...row, ...wrong })]),
      ).rejects.toThrow(RuleViolation);
    }
    await expect(
      addComment(world.ctx, {
        postId: other,
        authorId: bia.id,
        authorName: "Bia",
        body: "x",
        parentId: root,
      }),
    ).rejects.toThrow(CommentNotFound);
  });

  test("show their first replies and list the rest in pages, oldest first, each once", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const root = await say(postId, bia);
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      await world.advance(MINUTE_MS);
      ids.push(await say(postId, await newcomer("Alguém"), `resposta ${index}`, root));
    }
    const [thread] = await seen(postId, bia);
    expect(thread?.replies.map(({ id }) => id)).toEqual(ids.slice(0, REPLIES_SHOWN));
    expect(thread?.repliesCount).toBe(7);
    const read: string[] = [];
    let cursor: string | null = null;
    do {
      const rows = await repliesStatement(world.ctx, {
        postId,
        viewerId: bia.id,
        commentId: root,
        cursor,
        limit: 3,
      });
      const page = repliesFromRows(rows, { viewerId: bia.id, now: world.ctx.now() }, 3);
      read.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    } while (cursor !== null);
    expect(read).toEqual(ids);
  });

  test("follow the access of their post", async () => {
    const [closed, bia] = [await publish("subscribers"), await newcomer("Bia")];
    await expect(say(closed, bia)).rejects.toThrow(PostLocked);
    await expect(say("nada", bia)).rejects.toThrow(PostNotFound);
    const own = await say(closed, ana);
    expect(await seen(closed, bia)).toEqual([]);
    expect(await seen(closed, null)).toEqual([]);
    await expect(likeComment(world.ctx, { commentId: own, personId: bia.id })).rejects.toThrow(
      PostLocked,
    );
  });
});

describe("who is notified of a comment", () => {
  test("the post's author, the replied-to and the mentioned members, each once, and nobody of their own comment", async () => {
    const [postId, bia, caio, duda] = [
      await publish(),
      await newcomer("Bia"),
      await newcomer("Caio"),
      await newcomer("Duda"),
    ];
    const root = await say(postId, bia, `Oi @${bia.username}`);
    const reply = await say(
      postId,
      caio,
      `@${duda.username} @${duda.username} @${bia.username} @${ana.username} olhem`,
      root,
    );
    expect(await notified(bia)).toEqual([
      { kind: "comment.replied", path: `/post/${postId}/comments/${reply}` },
    ]);
    expect(await notified(duda)).toEqual([
      { kind: "comment.mentioned", path: `/post/${postId}/comments/${reply}` },
    ]);
    expect((await notified(caio)).length).toBe(0);
    expect(
      (await notified(ana))
        .filter(({ path }) => path.startsWith(`/post/${postId}/`))
        .map(({ kind }) => kind),
    ).toEqual(["post.commented"]);
    const [thread] = await seen(postId, ana);
    expect(thread?.replies[0]?.mentions).toEqual(
      expect.arrayContaining([duda.username, bia.username, ana.username]),
    );
  });

  test("nobody who cannot see the post or is across a block", async () => {
    const [closed, open, out, blocked] = [
      await publish("subscribers"),
      await publish(),
      await newcomer("De fora"),
      await newcomer("Bloqueada"),
    ];
    await say(closed, ana, `@${out.username}`);
    await block(blocked, ana);
    await say(open, ana, `@${blocked.username} @ninguem-assim`);
    expect(await notified(out)).toEqual([]);
    expect(await notified(blocked)).toEqual([]);
  });
});

describe("the author of a comment", () => {
  test("can edit it within 15 minutes, with a mark, and not after", async () => {
    const [postId, bia, caio] = [await publish(), await newcomer("Bia"), await newcomer("Caio")];
    const commentId = await say(postId, bia);
    await editComment(world.ctx, { commentId, personId: bia.id, body: "Que beleza mesmo!" });
    expect((await seen(postId, caio))[0]).toMatchObject({
      body: "Que beleza mesmo!",
      isEdited: true,
    });
    await expect(
      editComment(world.ctx, { commentId, personId: caio.id, body: "x" }),
    ).rejects.toThrow(CommentActionRefused);
    await expect(
      editComment(world.ctx, { commentId, personId: ana.id, body: "x" }),
    ).rejects.toThrow(CommentActionRefused);
    await world.advance(EDIT_WINDOW_MS);
    await expect(
      editComment(world.ctx, { commentId, personId: bia.id, body: "x" }),
    ).rejects.toThrow(EditWindowOver);
  });

  test("can remove it and restore it within ten minutes; then its text is erased", async () => {
    const [postId, bia, caio] = [await publish(), await newcomer("Bia"), await newcomer("Caio")];
    const commentId = await say(postId, bia);
    await removeComment(world.ctx, { commentId, personId: bia.id });
    await removeComment(world.ctx, { commentId, personId: bia.id });
    expect(await count(postId)).toBe(0);
    expect(await seen(postId, caio)).toEqual([]);
    expect((await seen(postId, bia))[0]).toMatchObject({
      state: "removed",
      body: "",
      may: { restore: true },
    });
    await eraseRemovedComments(world.ctx);
    await restoreComment(world.ctx, { commentId, personId: bia.id });
    expect((await seen(postId, caio))[0]).toMatchObject({ state: "there", body: "Que beleza!" });
    expect(await count(postId)).toBe(1);
    await removeComment(world.ctx, { commentId, personId: bia.id });
    await world.advance(UNDO_WINDOW_MS);
    await expect(restoreComment(world.ctx, { commentId, personId: bia.id })).rejects.toThrow(
      CommentActionRefused,
    );
    await world.tick();
    expect(
      await world.ctx.db
        .select({ body: comments.body })
        .from(comments)
        .where(eq(comments.id, commentId)),
    ).toEqual([{ body: "" }]);
    await expect(removeComment(world.ctx, { commentId, personId: caio.id })).rejects.toThrow(
      CommentNotFound,
    );
  });

  test("who removes a comment with replies keeps the replies, without its text or name", async () => {
    const [postId, bia, caio] = [await publish(), await newcomer("Bia"), await newcomer("Caio")];
    const root = await say(postId, bia);
    const reply = await say(postId, caio, "Também acho", root);
    await removeComment(world.ctx, { commentId: root, personId: bia.id });
    const [thread] = await seen(postId, ana);
    expect(thread).toMatchObject({
      state: "removed",
      body: "",
      author: null,
      replies: [{ id: reply, body: "Também acho" }],
    });
    expect(await count(postId)).toBe(1);
    await expect(say(postId, ana, "oi?", root)).rejects.toThrow(CommentNotFound);
  });
});
