import { and, eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { removeComment } from "#app/domain/comments/commands.server.ts";
import { hideComment, pinComment } from "#app/domain/comments/commands/host.server.ts";
import {
  CommentActionRefused,
  CommentNotFound,
  CommentsClosed,
} from "#app/domain/comments/errors.ts";
import { commentsOf, pinnedStatement } from "#app/domain/comments/queries.server.ts";
import { setCommentsClosed } from "#app/domain/posts/commands.server.ts";
import { PostNotFound } from "#app/domain/posts/errors.ts";
import { comments } from "#drizzle/schema/comments.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createModerator, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { commentHelpers } from "#tests/support/comments.ts";

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});

const { newcomer, publish, say, seen, count } = commentHelpers(() => ({ world, author: ana }));

describe("the owner of a post", () => {
  test("can hide a comment from everyone but its author and moderators, and show it again", async () => {
    const [postId, bia, caio, staff] = [
      await publish(),
      await newcomer("Bia"),
      await newcomer("Caio"),
      await createModerator(world.ctx),
    ];
    const commentId = await say(postId, bia);
    await expect(
      hideComment(world.ctx, { commentId, personId: caio.id, hostId: caio.id, hidden: true }),
    ).rejects.toThrow(CommentActionRefused);
    await hideComment(world.ctx, { commentId, personId: ana.id, hostId: ana.id, hidden: true });
    await hideComment(world.ctx, { commentId, personId: ana.id, hostId: ana.id, hidden: true });
    expect(await count(postId)).toBe(0);
    expect(await seen(postId, caio)).toEqual([]);
    expect(await seen(postId, null)).toEqual([]);
    for (const one of [bia, ana, staff])
      expect((await seen(postId, one))[0]).toMatchObject({ state: "hidden", body: "Que beleza!" });
    await expect(say(postId, caio, "oi", commentId)).rejects.toThrow(CommentNotFound);
    await hideComment(world.ctx, {
      commentId,
      personId: staff.id,
      hostId: staff.id,
      hidden: false,
    });
    expect(await count(postId)).toBe(1);
    expect(await seen(postId, caio)).toHaveLength(1);
  });

  test("shares these rights with the team that acts for the page, and with nobody who only claims the page", async () => {
    const [postId, bia, helper] = [
      await publish(),
      await newcomer("Bia"),
      await newcomer("Equipe"),
    ];
    const commentId = await say(postId, bia);
    await hideComment(world.ctx, { commentId, personId: helper.id, hostId: ana.id, hidden: true });
    const forPage = { postId, viewerId: helper.id, hostId: ana.id, cursor: null, limit: 20 };
    expect((await commentsOf(world.ctx, forPage)).items[0]).toMatchObject({
      state: "hidden",
      body: "Que beleza!",
      may: { show: true },
    });
    expect(await seen(postId, helper)).toEqual([]);
    await expect(
      hideComment(world.ctx, { commentId, personId: helper.id, hostId: helper.id, hidden: false }),
    ).rejects.toThrow(CommentNotFound);
  });

  test("can pin one comment; the last one wins, also with concurrent requests", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const ids = [
      await say(postId, bia, "um"),
      await say(postId, bia, "dois"),
      await say(postId, bia, "três"),
    ];
    const [one = "", two = "", three = ""] = ids;
    await pinComment(world.ctx, { commentId: one, personId: ana.id, hostId: ana.id, pinned: true });
    await Promise.allSettled(
      [two, three].map((commentId) =>
        pinComment(world.ctx, { commentId, personId: ana.id, hostId: ana.id, pinned: true }),
      ),
    );
    const pinned = await pinnedStatement(world.ctx, { postId, viewerId: bia.id });
    expect(pinned).toHaveLength(1);
    expect([two, three]).toContain(pinned[0]?.id);
    expect((await seen(postId, bia)).map(({ id }) => id)).not.toContain(pinned[0]?.id);
    await expect(
      pinComment(world.ctx, { commentId: one, personId: bia.id, hostId: bia.id, pinned: true }),
    ).rejects.toThrow(CommentActionRefused);
    await pinComment(world.ctx, {
      commentId: pinned[0]?.id ?? "",
      personId: ana.id,
      hostId: ana.id,
      pinned: false,
    });
    expect(await pinnedStatement(world.ctx, { postId, viewerId: bia.id })).toEqual([]);
  });

  test("cannot pin a reply, a removed comment or a hidden one", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const root = await say(postId, bia);
    const reply = await say(postId, bia, "eu de novo", root);
    await expect(
      pinComment(world.ctx, { commentId: reply, personId: ana.id, hostId: ana.id, pinned: true }),
    ).rejects.toThrow(CommentActionRefused);
    await pinComment(world.ctx, {
      commentId: root,
      personId: ana.id,
      hostId: ana.id,
      pinned: true,
    });
    await removeComment(world.ctx, { commentId: root, personId: bia.id });
    expect(
      await world.ctx.db.$count(
        comments,
        and(eq(comments.postId, postId), sql`pinned_at IS NOT NULL`),
      ),
    ).toBe(0);
    await expect(
      pinComment(world.ctx, { commentId: root, personId: ana.id, hostId: ana.id, pinned: true }),
    ).rejects.toThrow(CommentActionRefused);
  });

  test("can close and reopen the comments; existing ones stay", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const commentId = await say(postId, bia);
    await expect(
      setCommentsClosed(world.ctx, { postId, personId: bia.id, closed: true }),
    ).rejects.toThrow(PostNotFound);
    await setCommentsClosed(world.ctx, { postId, personId: ana.id, closed: true });
    await expect(say(postId, bia)).rejects.toThrow(CommentsClosed);
    await expect(say(postId, ana)).rejects.toThrow(CommentsClosed);
    expect((await seen(postId, bia))[0]).toMatchObject({
      id: commentId,
      may: { reply: false, like: true },
    });
    await setCommentsClosed(world.ctx, { postId, personId: ana.id, closed: false });
    await say(postId, bia);
    expect(await count(postId)).toBe(2);
  });
});
