import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { likeComment, unlikeComment } from "#app/domain/comments/commands/likes.server.ts";
import {
  CommentNotFound,
  TooManyComments,
  TooManyCommentLikes,
} from "#app/domain/comments/errors.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { commentLikes } from "#drizzle/schema/comments.ts";
import { people } from "#drizzle/schema/identity.ts";
import { mute } from "#app/domain/profiles/commands.server.ts";
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

describe("the visibility of comments", () => {
  test("a block hides comments and replies both ways, and keeps the replies of others", async () => {
    const [postId, bia, caio, duda] = [
      await publish(),
      await newcomer("Bia"),
      await newcomer("Caio"),
      await newcomer("Duda"),
    ];
    const root = await say(postId, bia);
    await say(postId, caio, "de Caio", root);
    await say(postId, duda, "de Duda", root);
    await block(caio, bia);
    expect((await seen(postId, bia))[0]?.replies.map(({ body }) => body)).toEqual(["de Duda"]);
    expect((await seen(postId, caio))[0]).toMatchObject({
      state: "hidden",
      author: null,
      body: "",
      may: { reply: false, like: false },
    });
    await expect(likeComment(world.ctx, { commentId: root, personId: caio.id })).rejects.toThrow(
      CommentNotFound,
    );
    await expect(say(postId, caio, "oi", root)).rejects.toThrow(CommentNotFound);
  });

  test("a mute hides one way, without notification", async () => {
    const [postId, bia, caio] = [await publish(), await newcomer("Bia"), await newcomer("Caio")];
    await mute(world.ctx, { personId: caio.id, otherId: bia.id });
    const own = await say(postId, caio, "eu primeiro");
    await say(postId, bia, `@${caio.username}, olhe`, own);
    await say(postId, bia, "e mais");
    expect((await seen(postId, caio)).map(({ body, replies }) => [body, replies.length])).toEqual([
      ["eu primeiro", 0],
    ]);
    expect((await seen(postId, bia)).length).toBe(2);
    expect(await notified(caio)).toEqual([]);
  });

  test("the comments of a banned member are hidden", async () => {
    const [postId, bia, caio] = [await publish(), await newcomer("Bia"), await newcomer("Caio")];
    await say(postId, bia);
    await world.ctx.db
      .update(people)
      .set({ bannedAt: world.ctx.now() })
      .where(eq(people.id, bia.id));
    expect(await seen(postId, caio)).toEqual([]);
  });
});

describe("likes of a comment", () => {
  test("200 concurrent clicks of one person count as one at most", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const commentId = await say(postId, bia);
    const clicks = Array.from({ length: 100 }, () =>
      likeComment(world.ctx, { commentId, personId: bia.id }),
    );
    await Promise.all(clicks);
    expect((await seen(postId, bia))[0]).toMatchObject({ likesCount: 1, isLiked: true });
    await Promise.all([
      unlikeComment(world.ctx, { commentId, personId: bia.id }),
      unlikeComment(world.ctx, { commentId, personId: bia.id }),
    ]);
    expect((await seen(postId, bia))[0]).toMatchObject({ likesCount: 0, isLiked: false });
  });

  test("the counter equals the rows after many concurrent likes", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const commentId = await say(postId, bia);
    const fans = await Promise.all(Array.from({ length: 40 }, () => newcomer("Fã")));
    await Promise.all(fans.map(({ id }) => likeComment(world.ctx, { commentId, personId: id })));
    await Promise.all(
      fans.slice(0, 15).map(({ id }) => unlikeComment(world.ctx, { commentId, personId: id })),
    );
    expect((await seen(postId, bia))[0]?.likesCount).toBe(25);
    expect(await world.ctx.db.$count(commentLikes, eq(commentLikes.commentId, commentId))).toBe(25);
  });

  test("are rate-limited, and a like can be removed at any time", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const commentId = await say(postId, bia);
    for (let click = 0; click < 120; click += 1)
      await likeComment(world.ctx, { commentId, personId: bia.id });
    await expect(likeComment(world.ctx, { commentId, personId: bia.id })).rejects.toThrow(
      TooManyCommentLikes,
    );
    await unlikeComment(world.ctx, { commentId, personId: bia.id });
    expect((await seen(postId, bia))[0]?.likesCount).toBe(0);
  });
});

describe("the rate limits of comments", () => {
  test("allow six comments a minute, also concurrently, and six more in the next minute", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const answers = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) => say(postId, bia, `comentário ${index}`)),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
    expect(
      answers
        .flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []))
        .every((reason) => reason instanceof TooManyComments),
    ).toBe(true);
    expect(await count(postId)).toBe(6);
    await world.advance(MINUTE_MS);
    await say(postId, bia);
    expect(await count(postId)).toBe(7);
  });

  test("allow sixty an hour", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    for (let minute = 0; minute < 10; minute += 1) {
      for (let index = 0; index < 6; index += 1) await say(postId, bia);
      await world.advance(MINUTE_MS);
    }
    await expect(say(postId, bia)).rejects.toThrow(TooManyComments);
    await world.advance(HOUR_MS);
    await say(postId, bia);
    expect(await count(postId)).toBe(61);
  });
});
